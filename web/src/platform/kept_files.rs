//! Handles of files that are kept in the browser for the next visit, where the person asked for that: `IndexedDB` can
//! keep them, other storage cannot. Nothing of a file's content is among them.

use js_sys::{Array, Function, Object, Promise, Reflect};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{IdbDatabase, IdbFactory, IdbObjectStore, IdbRequest, IdbTransactionMode, window};

use super::handles::Root;

/// The database, the only table in it, and the only row of that.
const NAME: &str = "hindscope";
const TABLE: &str = "files";
const ROW: &str = "last";

/// What was open, and what that is called.
#[derive(Clone, Debug)]
pub(crate) struct KeptFiles {
    pub(crate) says: String,
    pub(crate) roots: Vec<Root>,
}

/// What is kept. Where the browser refuses storage there is nothing.
pub(crate) async fn kept_files() -> Option<KeptFiles> {
    let row = ask(IdbTransactionMode::Readonly, |table| table.get(&ROW.into())).await.ok()?;
    let member = |name: &str| Reflect::get(&row, &name.into()).ok();
    let roots = Array::from(&member("roots")?).iter().map(Root::new).collect();
    Some(KeptFiles { says: member("says")?.as_string()?, roots })
}

/// Keeps this in place of what was kept before.
pub(crate) async fn keep_files(files: &KeptFiles) -> Result<(), JsValue> {
    let row = Object::new();
    let roots: Array = files.roots.iter().map(Root::as_js).collect();
    Reflect::set(&row, &"says".into(), &files.says.as_str().into())?;
    Reflect::set(&row, &"roots".into(), &roots)?;
    let write = IdbTransactionMode::Readwrite;
    ask(write, |table| table.put_with_key(&row, &ROW.into())).await.map(|_| ())
}

/// Takes all of it out of the browser again.
pub(crate) async fn forget_files() {
    if let Some(deletes) = factory().ok().and_then(|factory| factory.delete_database(NAME).ok()) {
        let _ = done(&deletes).await;
    }
}

fn factory() -> Result<IdbFactory, JsValue> {
    window().ok_or(JsValue::NULL)?.indexed_db()?.ok_or(JsValue::NULL)
}

/// Asks the table something, and closes the database again, so that nothing waits when it is forgotten.
async fn ask(
    mode: IdbTransactionMode,
    question: impl FnOnce(&IdbObjectStore) -> Result<IdbRequest, JsValue>,
) -> Result<JsValue, JsValue> {
    let opens = factory()?.open_with_u32(NAME, 1)?;
    let new = opens.clone();
    let make = Closure::once(move || {
        let database = new.result().map(JsCast::unchecked_into::<IdbDatabase>);
        // Where it fails, so does each use of the table.
        let _ = database.and_then(|database| database.create_object_store(TABLE));
    });
    opens.set_onupgradeneeded(Some(make.as_ref().unchecked_ref()));
    let database: IdbDatabase = done(&opens).await?.unchecked_into();
    let asked = database
        .transaction_with_str_and_mode(TABLE, mode)
        .and_then(|transaction| question(&transaction.object_store(TABLE)?));
    let answer = match asked {
        Ok(request) => done(&request).await,
        Err(error) => Err(error),
    };
    // One that stays open would keep others from deleting it.
    database.close();
    answer
}

/// The answer to a request, once it is there.
async fn done(request: &IdbRequest) -> Result<JsValue, JsValue> {
    let answer = Promise::new(&mut |done: Function, failed: Function| {
        request.set_onsuccess(Some(&done));
        request.set_onerror(Some(&failed));
    });
    JsFuture::from(answer).await?;
    request.result()
}
