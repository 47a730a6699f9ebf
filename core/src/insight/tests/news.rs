//! What is new in a reflection, and what is not.

use serde_json::json;

use super::{loaded_run, reflections};
use crate::ReflectionNews;

fn news(of: &[&str]) -> Vec<ReflectionNews> {
    loaded_run(&reflections(of), usize::MAX).news()
}

/// The texts that are marked.
fn marked(news: &ReflectionNews) -> Vec<&str> {
    let text = news.text.as_deref().unwrap_or_default();
    news.new.iter().map(|&(start, end)| &text[start as usize..end as usize]).collect()
}

#[test]
fn a_word_is_new_if_no_sequence_that_it_stands_in_was_there() {
    let first = "I was stuck in a loop with the tomato.";
    let second = "In this room, I was stuck in a loop with the apple. Next I look.";
    let news = news(&[first, second, "Next I look. I was stuck in a loop", first]);
    assert_eq!(marked(&news[0]), [first.trim_end_matches('.')]);
    assert_eq!(marked(&news[1]), ["In this room", "apple. Next I look"]);
    assert_eq!((news[1].words, news[1].new_words), (15, 7));
    assert!(marked(&news[2]).is_empty(), "two reflections said it: {:?}", marked(&news[2]));
    assert_eq!(news[2].repeats, None, "as a whole it is another one");
    assert_eq!(news[3].repeats, Some(1));
    assert_eq!(news[3].new_words, 0);
}

#[test]
fn short_texts_are_new_unless_they_are_the_same() {
    let news = news(&["Retry.", "Retry now.", "retry!", "Wait."]);
    let all: Vec<_> = news.iter().map(|it| (it.new_words, it.repeats)).collect();
    assert_eq!(all, [(1, None), (2, None), (0, Some(1)), (1, None)]);
}

#[test]
fn marks_are_of_whole_words_in_any_script() {
    let news = news(&[
        "先检查缓存里的键",
        "先检查缓存里的键是否过期",
        "ابدأ من جديد",
        "ابدأ من جديد غدا صباحا",
    ]);
    assert_eq!(marked(&news[1]), ["是否过期"], "the pair before shares its first letter");
    assert_eq!(marked(&news[3]), ["غدا صباحا"]);
}

/// The window is that of the file, else the assumed one: the last 3.
#[test]
fn it_says_who_could_read_it_and_what_came_next() {
    let texts = ["one", "two", "three", "four", "five"];
    let mut records = reflections(&texts);
    records[4]["evaluator_output"] = json!({"passed": true});
    let news = loaded_run(&records, usize::MAX).news();
    assert_eq!((news[0].seen, news[0].seen_by), (Some((2, 4)), 3));
    assert_eq!((news[4].seen, news[4].seen_by), (None, 0), "no attempt followed");
    assert_eq!(news[0].next.as_deref(), Some("The next attempt failed, too."));
    assert_eq!(news[3].next.as_deref(), Some("The next attempt succeeded."));
    assert_eq!(news[4].next, None);
}

#[test]
fn what_was_not_read_has_no_text() {
    let unread = loaded_run(&reflections(&["one two three", "four"]), 0).news();
    assert_eq!(unread.len(), 2);
    assert!(unread.iter().all(|it| it.text.is_none() && it.words == 0), "{unread:?}");
}
