//! One question of one trial: its prompt, in any of the three dialects.

use crate::format::lines::add_line;
use crate::labels::labels;
use crate::model::details::Action;

/// What a record says.
#[derive(Debug, Default)]
pub(super) struct Record {
    pub(super) question: String,
    pub(super) instruction: Option<String>,
    pub(super) context: Option<String>,
    /// The scratchpad of the trial before, shown to the agent.
    pub(super) previous_trial: Option<String>,
    /// Those that could be seen during the trial.
    pub(super) reflections: Vec<String>,
    /// It has a place for them, even if there are none.
    pub(super) has_list: bool,
    pub(super) actions: Vec<Action>,
    pub(super) answer: Option<String>,
    pub(super) correct_answer: Option<String>,
}

const QUESTION: &str = "Question:";
const REFLECTIONS: &str = "Reflections:";
/// The sentence before reflections begins so; it may be glued to the question.
const HEADER: &str = "You have attempted to answer";
const HEADER_AFTER_TRIAL: &str = "The following reflection(s) give a plan";
const END_OF_TRIAL: &str = "(END PREVIOUS TRIAL)";

pub(super) fn read(text: &str) -> Record {
    let mut record = Record::default();
    let mut now = text;
    if let Some((before, rest)) = text.rsplit_once(END_OF_TRIAL) {
        record.before(before);
        now = rest;
    }
    let lines: Vec<&str> = now.lines().map(str::trim_end).collect();
    let at = lines.iter().rposition(|line| line.starts_with(QUESTION)).or_else(|| {
        let prompt = lines.split(|line| step_of(line).is_some()).next()?;
        prompt.iter().rposition(|line| glued_question(line).is_some())
    });
    let Some((at, line)) = at.and_then(|at| Some((at, *lines.get(at)?))) else {
        record.body(&lines);
        return record;
    };
    let mut head = lines.get(..at).unwrap_or_default().to_vec();
    let question = glued_question(line).map_or(line, |(before, question)| {
        head.push(before);
        question
    });
    record.question = question_of(question);
    record.head(&head);
    record.body(lines.get(at + 1..).unwrap_or_default());
    record
}

/// A line of context at whose end the question stands: the context, and the question with its label.
fn glued_question(line: &str) -> Option<(&str, &str)> {
    let at = line.rfind(QUESTION).filter(|_| !line.starts_with(QUESTION))?;
    let (before, question) = line.split_at_checked(at)?;
    before.ends_with(char::is_whitespace).then(|| (before.trim_end(), question))
}

/// Whether a line has a question: at its beginning, or at the end of a line of context.
pub(super) fn has_question(line: &str) -> bool {
    line.starts_with(QUESTION) || (step_of(line).is_none() && glued_question(line).is_some())
}

/// The question of a line, without what is glued to it.
fn question_of(line: &str) -> String {
    let text = line.strip_prefix(QUESTION).unwrap_or(line);
    text.split(HEADER).next().unwrap_or_default().trim().to_owned()
}

impl Record {
    /// Everything up to the end of the trial before.
    fn before(&mut self, text: &str) {
        let (head, trial) = text.split_at(text.find(HEADER).unwrap_or(0));
        self.instruction = filled(head.split(QUESTION).next().unwrap_or_default());
        let lines = || text.lines().filter(|line| line.starts_with(QUESTION));
        self.question = lines().next_back().map(question_of).unwrap_or_default();
        let trial = trial.split_once('\n').map_or(trial, |(_, trial)| trial);
        self.previous_trial = filled(trial);
    }

    /// What stands before the question: instruction, reflections, context.
    fn head(&mut self, lines: &[&str]) {
        let mut instruction = Vec::new();
        let mut context: Option<Vec<&str>> = None;
        let mut is_listed = false;
        for &line in lines {
            let opened = ["Relevant Context:", "Context:"]
                .into_iter()
                .find_map(|label| line.strip_prefix(label));
            if let Some(first) = opened.filter(|_| context.is_none()) {
                context = Some(vec![first]);
            } else if let Some(context) = &mut context {
                context.push(line);
            } else if line.starts_with(HEADER) || line.starts_with(HEADER_AFTER_TRIAL) {
                is_listed = false;
            } else if line == REFLECTIONS {
                self.has_list = true;
                is_listed = true;
            } else if is_listed {
                self.item(line);
            } else {
                instruction.push(line);
            }
        }
        self.instruction = self.instruction.take().or_else(|| filled(&instruction.join("\n")));
        self.context = context.and_then(|lines| filled(&lines.join("\n")));
    }

    /// A line of the list of reflections.
    fn item(&mut self, line: &str) {
        match (line.strip_prefix("- "), self.reflections.last_mut()) {
            (Some(text), _) => self.reflections.push(text.trim().to_owned()),
            (None, Some(last)) if !line.is_empty() => {
                last.push('\n');
                last.push_str(line);
            }
            _ => {}
        }
    }

    /// What follows the question: reflections that were glued to it, steps, reflections again, and
    /// the answer wanted.
    fn body(&mut self, lines: &[&str]) {
        let answer = lines.iter().rposition(|line| line.starts_with("Correct answer:"));
        if let Some(line) = answer.and_then(|at| lines.get(at)) {
            self.correct_answer = line.strip_prefix("Correct answer:").and_then(filled);
        }
        let lines = lines.get(..answer.unwrap_or(lines.len())).unwrap_or_default();
        let first_step = lines.iter().position(|line| step_of(line).is_some());
        let listed = lines.iter().position(|line| *line == REFLECTIONS);
        let is_glued = listed.is_some_and(|at| {
            first_step.is_none_or(|step| at < step)
                && lines.get(at + 1).is_some_and(|line| line.starts_with("- "))
        });
        let steps = if let (true, Some(at)) = (is_glued, listed) {
            self.has_list = true;
            let end = first_step.unwrap_or(lines.len());
            for line in lines.get(at + 1..end).unwrap_or_default() {
                self.item(line);
            }
            lines.get(end..).unwrap_or_default()
        } else {
            let at = lines.iter().rposition(|line| line.starts_with(REFLECTIONS));
            let (steps, after) = lines.split_at(at.unwrap_or(lines.len()));
            self.after_steps(after);
            steps
        };
        self.steps(steps);
    }

    /// `Reflections: one`, and one on each line below; or the scratchpad of the trial before.
    fn after_steps(&mut self, lines: &[&str]) {
        let Some((first, rest)) = lines.split_first() else { return };
        self.has_list = true;
        let first = first.strip_prefix(REFLECTIONS).unwrap_or(first).trim();
        if first.is_empty() && rest.first().is_some_and(|line| step_of(line).is_some()) {
            self.previous_trial = filled(&rest.join("\n"));
            return;
        }
        let all = std::iter::once(first).chain(rest.iter().copied());
        self.reflections.extend(all.filter_map(filled));
    }

    fn steps(&mut self, lines: &[&str]) {
        let mut place = Place::Thought;
        for &line in lines {
            match step_of(line) {
                Some((Place::Thought, text)) => {
                    place = Place::Thought;
                    self.actions.push(Action {
                        kind: "thought".to_owned(),
                        reasoning: filled(text),
                        ..Action::default()
                    });
                }
                Some((Place::Action, text)) => {
                    place = Place::Action;
                    self.act(text.trim());
                }
                Some((Place::Observation, text)) => {
                    place = Place::Observation;
                    if let Some(action) = self.actions.last_mut() {
                        action.output = filled(text);
                    }
                }
                None => self.go_on(place, line),
            }
        }
        let finished = |action: &Action| {
            let (_, answer) = action.description.rsplit_once("Finish[")?;
            Some(answer.strip_suffix(']').unwrap_or(answer).to_owned())
        };
        self.answer = self.actions.iter().rev().find_map(finished);
    }

    /// An action belongs to the thought before it.
    fn act(&mut self, text: &str) {
        let kind = text.split('[').next().unwrap_or_default().trim();
        let kind = if kind.is_empty() { "action" } else { kind };
        match self.actions.last_mut() {
            Some(last) if last.description.is_empty() && last.output.is_none() => {
                kind.clone_into(&mut last.kind);
                text.clone_into(&mut last.description);
            }
            _ => self.actions.push(Action {
                kind: kind.to_owned(),
                description: text.to_owned(),
                ..Action::default()
            }),
        }
    }

    /// A line that goes on with what was before it.
    fn go_on(&mut self, place: Place, line: &str) {
        let Some(action) = self.actions.last_mut() else { return };
        let text = match place {
            Place::Thought => action.reasoning.get_or_insert_default(),
            Place::Action => &mut action.description,
            Place::Observation => action.output.get_or_insert_default(),
        };
        add_line(text, line);
    }
}

labels! {
    /// A label of a step.
    pub(super) Place {
        Thought = "Thought",
        Action = "Action",
        Observation = "Observation",
    }
}

/// `Thought 2: text`, with or without the number.
fn step_of(line: &str) -> Option<(Place, &str)> {
    Place::ALL.into_iter().find_map(|place| {
        let (number, text) = line.strip_prefix(place.as_str())?.split_once(':')?;
        number.trim().bytes().all(|b| b.is_ascii_digit()).then_some((place, text))
    })
}

/// A text that is not blank, trimmed.
fn filled(text: &str) -> Option<String> {
    let text = text.trim();
    (!text.is_empty()).then(|| text.to_owned())
}
