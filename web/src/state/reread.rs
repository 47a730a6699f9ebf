//! Files that are read again: at a press, every second while they are followed, or on the next visit. All of it
//! needs handles of files, which not every browser gives.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::rc::Rc;
use std::time::Duration;

use leptos::prelude::*;
use leptos::task::spawn_local;

use super::app::{App, LARGE, Phase};
use super::intake::What;
use super::live::{Following, REMEMBERS};
use super::message::Message;
use super::openings::{News, Opening, named};
use crate::format::{self, counted};
use crate::platform::{self, Found, KeptFiles, OpenFiles, Reloaded, Root};
use crate::protocol::{FileItem, Mode, count};

/// Followed files are looked at this often, and resting takes this many times as long as looking at them.
const EVERY: Duration = Duration::from_secs(1);
const REST: f64 = 3.0;
/// The same while the worker reads what changed.
const SOON: Duration = Duration::from_millis(50);

/// Names that are written out in a sentence.
const NAMED: usize = 3;

/// What came of looking at files.
enum Looked {
    /// There was no time for it, or a file was being written.
    Later,
    Same,
    /// So many were read again.
    Read(usize),
    /// These are not there any more, or may not be read. What was read of them stays.
    Lost(String),
}

/// An opening, and what is to take its place.
type Renewal = (Opening, Vec<FileItem>);

impl App {
    /// Reads again what has changed since it was read, and says what came of it.
    pub(crate) fn read_again(self) {
        spawn_local(async move {
            let looked = self.look().await;
            let files = counted(self.followed(), "file");
            let says = match looked {
                Looked::Later => {
                    "Files are being read or written right now: try again in a moment.".to_owned()
                }
                Looked::Same => format!("Nothing has changed in {files}."),
                Looked::Read(changed) => {
                    format!("Read again: {} of {files} changed.", platform::whole(count(changed)))
                }
                Looked::Lost(why) => why,
            };
            self.say(says.clone());
            self.notice.set(Some(says));
        });
    }

    /// Begins to look at the files each second, or ends it.
    pub(crate) fn toggle_follow(self) {
        let following = self.live().following;
        if following.with_untracked(Option::is_some) {
            following.set(None);
            return self.say("Following ended.");
        }
        following.set(Some(Following { changed: None }));
        let turn = self.live().turn.get_value() + 1;
        self.live().turn.set_value(turn);
        self.say(format!("Following {}.", counted(self.followed(), "file")));
        spawn_local(async move {
            let goes_on = || {
                self.live().turn.get_value() == turn && following.with_untracked(Option::is_some)
            };
            while goes_on() {
                let begun = platform::now();
                if !platform::is_hidden() {
                    self.follow_once().await;
                }
                let rest =
                    Duration::from_secs_f64((platform::now() - begun).max(0.0) / 1000.0 * REST);
                platform::pause_for(rest.max(EVERY)).await;
            }
        });
    }

    async fn follow_once(self) {
        let following = self.live().following;
        match self.look().await {
            Looked::Read(_) => {
                let changed = Some(platform::local_second());
                following.update(|now| {
                    if now.is_some() {
                        *now = Some(Following { changed });
                    }
                });
                // A worker that reads for long is not asked again at once.
                while self.live().is_renewing.get_value() {
                    platform::pause_for(SOON).await;
                }
            }
            Looked::Lost(why) => {
                following.set(None);
                let text = format!("Following ended. {why}");
                self.intake().message.set(Some(Message::new("follow-ended", text)));
            }
            Looked::Same | Looked::Later => {}
        }
    }

    /// Files that can be read again.
    pub(crate) fn followed(self) -> u32 {
        self.openings.with_value(|openings| {
            let openings = openings.open.iter().filter(|opening| !opening.roots.is_empty());
            count(openings.map(|opening| opening.items.len()).sum::<usize>())
        })
    }

    /// Looks at all files that can be read again, and reads all that is open again if one has changed.
    async fn look(self) -> Looked {
        let is_idle = || {
            let is_ready = matches!(self.phase.get_untracked(), Phase::Ready | Phase::Empty);
            is_ready && !self.live().is_renewing.get_value()
        };
        if !is_idle() || self.live().is_looking.get_value() {
            return Looked::Later;
        }
        self.live().is_looking.set_value(true);
        let open = self.openings.with_value(|openings| openings.open.clone());
        let found = found(open).await;
        self.live().is_looking.set_value(false);
        match found {
            Ok(now) if now.renewals.is_empty() && now.left == 0 => Looked::Same,
            Ok(FoundNow { renewals, changed, gone, .. }) if is_idle() && !renewals.is_empty() => {
                self.renew(renewals);
                if !gone.is_empty() {
                    let is = if gone.len() == 1 { "is" } else { "are" };
                    let text =
                        format!("{} {is} gone and shown no more: moved or deleted.", listed(&gone));
                    self.intake().message.set(Some(Message::new("file-gone", text)));
                }
                Looked::Read(changed)
            }
            Ok(_) => Looked::Later,
            Err(why) => {
                Looked::Lost(format!("{why} What was read of it stays. To go on, open it anew."))
            }
        }
    }

    /// Reads all that is open anew, with what has changed. What is looked at stays.
    fn renew(self, renewals: Vec<Renewal>) {
        self.openings.update_value(|openings| {
            for (old, items) in renewals {
                openings.renew(&old.roots, &items);
            }
        });
        self.opened_changed();
        let is_large = self.summary.with_untracked(|summary| summary.memory > LARGE);
        if is_large {
            return self.open_again();
        }
        self.awaits.update_value(|awaits| awaits.stays = true);
        self.live().is_renewing.set_value(true);
        let open = self.openings.with_value(|openings| openings.open.clone());
        self.hand_over(open, Mode::Renew { left: 0 });
    }

    /// What is open has changed.
    pub(super) fn opened_changed(self) {
        let (can_reread, kept, others, sample) = self.openings.with_value(|openings| {
            let (live, rest): (Vec<_>, Vec<_>) =
                openings.open.iter().partition(|opening| !opening.roots.is_empty());
            let can_be_kept = |opening: &&&Opening| opening.roots.iter().all(Root::is_of_browser);
            let keeps: Vec<_> = live.iter().filter(can_be_kept).collect();
            let roots: Vec<_> = keeps.iter().flat_map(|one| one.roots.iter().cloned()).collect();
            let says = kept_name(&roots, keeps.iter().flat_map(|one| one.items.iter()));
            let kept = (!roots.is_empty()).then_some(KeptFiles { says, roots });
            let sample = openings.only_sample().map(str::to_owned);
            let is_lost = !rest.is_empty() && sample.is_none();
            let others = is_lost.then(|| named(rest.iter().flat_map(|one| one.items.iter())));
            (!live.is_empty(), kept, others, sample)
        });
        platform::name_sample(sample.as_deref());
        self.live().lost.set(None);
        self.live().can_reread.set(can_reread);
        platform::note_open(OpenFiles { kept: kept.clone(), others });
        if !can_reread {
            self.live().following.set(None);
        }
        if let Some(kept) = kept.filter(|_| self.live().remembers.get_untracked()) {
            self.keep_files(kept);
        }
    }

    fn keep_files(self, kept: KeptFiles) {
        spawn_local(async move {
            let is_kept = platform::keep_files(&kept).await.is_ok();
            self.live().kept.set(is_kept.then_some(kept.says));
        });
    }

    /// Keeps handles from now on, or forgets them.
    pub(crate) fn remember_files(self, is_on: bool) {
        platform::store(REMEMBERS, is_on.then_some("on"));
        self.live().remembers.set(is_on);
        if is_on {
            self.opened_changed();
        } else {
            self.forget_files();
        }
    }

    /// Takes the handles that are kept out of the browser.
    pub(crate) fn forget_files(self) {
        self.live().kept.set(None);
        self.live().once.set_value(None);
        spawn_local(platform::forget_files());
        self.say("The files are forgotten.");
    }

    /// Looks whether there is something to be opened again: of the last visit where that was asked for, or of before
    /// the page was loaded again after a bug.
    pub(crate) fn find_kept(self) {
        let Reloaded { has_handles, others } = platform::reloaded();
        let remembers = platform::stored(REMEMBERS).is_some();
        self.live().lost.set(others);
        self.live().remembers.set(remembers);
        if !remembers && !has_handles {
            return;
        }
        spawn_local(async move {
            let kept = platform::kept_files().await;
            self.live().kept.set(kept.as_ref().map(|kept| kept.says.clone()));
            if !remembers {
                self.live().once.set_value(kept);
                platform::forget_files().await;
            }
        });
    }

    /// Opens the files of the last visit. The browser asks the person, if it wants to.
    pub(crate) fn open_kept(self) {
        spawn_local(async move {
            let message = |text: String| self.not_opened(text);
            let once = self.live().once.get_value();
            let kept = if once.is_some() { once } else { platform::kept_files().await };
            let Some(kept) = kept else {
                self.live().kept.set(None);
                return message("The browser has forgotten the files: open them anew.".to_owned());
            };
            if let Some(name) = platform::refused(&kept.roots).await {
                return message(format!(
                    "The browser was not allowed to read {name}, so nothing was opened. It asks once more the next \
                     time."
                ));
            }
            self.phase.set(Phase::Listing(0));
            let listing = move |listed| self.phase.set(Phase::Listing(listed));
            self.take_found(platform::found_again(kept.roots.into(), listing).await);
        });
    }

    /// Opens what the server of the page reads for it, once there is a file, and follows it.
    pub(crate) fn follow_served(self, roots: Rc<[Root]>) {
        self.phase.set(Phase::Listing(0));
        spawn_local(async move {
            let listing = move |listed| self.phase.set(Phase::Listing(listed));
            let mut waits = false;
            loop {
                let found = platform::found_again(Rc::clone(&roots), listing).await;
                if !found.items.is_empty() {
                    if waits {
                        self.notice.set(None);
                    }
                    if self.take_found(found) {
                        self.toggle_follow();
                    }
                    return;
                }
                if !std::mem::replace(&mut waits, true) {
                    self.stop_listing();
                    let names: Vec<String> = roots.iter().map(Root::name).collect();
                    self.notice.set(Some(format!(
                        "{} holds no files yet. The page shows them as soon as they are written.",
                        listed(&names)
                    )));
                }
                platform::pause_for(EVERY).await;
            }
        });
    }

    /// Opens what was found again. False: what it was in cannot be read, and the page says so.
    fn take_found(self, found: Found) -> bool {
        let lost = lost(&found.items, &found.roots);
        let is_found = lost.is_none();
        match lost {
            Some(why) => self.not_opened(why),
            None => self.take(What::Files(found)),
        }
        is_found
    }

    fn not_opened(self, why: String) {
        self.stop_listing();
        self.intake().message.set(Some(Message::new("not-opened", why)));
    }
}

/// What is found of openings that differ from what was read.
#[derive(Default)]
struct FoundNow {
    renewals: Vec<Renewal>,
    /// Files that are read again.
    changed: usize,
    /// Files that are being written, or may not be read: what was read of them stays until the next look.
    left: usize,
    /// Paths of files that are not there any more.
    gone: Vec<String>,
}

async fn found(open: Vec<Opening>) -> Result<FoundNow, String> {
    let mut now = FoundNow::default();
    for opening in open.into_iter().filter(|opening| !opening.roots.is_empty()) {
        let found = platform::found_again(Rc::clone(&opening.roots), |_| ()).await.items;
        if let Some(why) = lost(&found, &opening.roots) {
            return Err(why);
        }
        let mut news = News::of(&opening.items, &opening.left(found.clone()));
        if news == News::default() {
            continue;
        }
        let known: BTreeMap<_, _> = opening.items.iter().map(|item| (&item.path, item)).collect();
        let mut items = Vec::with_capacity(found.len());
        let mut changed = 0;
        for item in found {
            if news.changed.contains(&item.path) {
                let copy = platform::copied(&item).await;
                *(if copy.is_some() { &mut changed } else { &mut now.left }) += 1;
                items.extend(copy.or_else(|| known.get(&item.path).map(|&known| known.clone())));
            } else {
                items.push(known.get(&item.path).map_or(item, |&known| known.clone()));
            }
        }
        if changed > 0 || !news.gone.is_empty() {
            now.changed += changed;
            now.gone.append(&mut news.gone);
            now.renewals.push((opening, items));
        }
    }
    Ok(now)
}

/// Why nothing is read again, if one of the files and folders that were dropped cannot be read.
fn lost(found: &[FileItem], roots: &[Root]) -> Option<String> {
    let problem = |root: &Root| {
        let name = root.name();
        let item = found.iter().find(|item| item.path == name && item.handle.is_none())?;
        Some(format!("{name} cannot be read: {}.", item.problem.as_deref()?))
    };
    roots.iter().find_map(problem)
}

/// Some names, and how many there are beside them.
fn listed(names: &[String]) -> String {
    let mut text = names.iter().take(NAMED).cloned().collect::<Vec<_>>().join(", ");
    if names.len() > NAMED {
        let _ = write!(text, " and {} more", platform::whole(count(names.len() - NAMED)));
    }
    text
}

/// `runs/ (3 files, 12 MB)`
fn kept_name<'a>(roots: &[Root], items: impl Iterator<Item = &'a FileItem>) -> String {
    let name = |root: &Root| root.name() + if root.is_folder() { "/" } else { "" };
    let names: Vec<String> = roots.iter().map(name).collect();
    let (files, bytes) =
        items.fold((0, 0.0), |(files, bytes), item| (files + 1, bytes + item.size));
    format!("{} ({}, {})", listed(&names), counted(files, "file"), format::bytes(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_few_names_are_written_out() {
        let names = ["a", "b", "c", "d", "e"].map(str::to_owned);
        assert_eq!(listed(&names[..1]), "a");
        assert_eq!(listed(&names), "a, b, c and 2 more");
    }
}
