//! The interface `validation`.

use crate::Component;
use crate::cross::{Cross, Over, labels, options, or_default};
use crate::wit::types::Validation;
use crate::wit::validation::{Guest, Schema, ValidateOptions};

labels!(Schema => hindscope::Schema {
    ReflectionMemory, TaskMetadata, Trajectory, Reflection, Attempt, Action
});

options! {
    ValidateOptions { schema, profile, now_ms }
}

impl Guest for Component {
    fn validate(bytes: Vec<u8>, options: Option<ValidateOptions>) -> Validation {
        hindscope::validate_with(&bytes, or_default(options)).cross()
    }

    fn json_schema(schema: Schema) -> String {
        let schema: hindscope::Schema = schema.cross();
        schema.json().to_owned()
    }
}
