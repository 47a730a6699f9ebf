//! Words and small answers of the core, in the words of `wit/`.

use crate::bindings::exports::hindscope::reflections::types::{
    Entry, Evidence, Finding, Layout, MemoryMetadata, More, Origin, Outcome, Policy, Profile,
    Severity, SourceState, Validation, Verdict, WindowRule,
};

/// From one enum to another with the same words. A word that only one of them has does not compile.
macro_rules! words {
    ($from:ty => $to:ty { $($word:ident),+ }) => {
        impl From<$from> for $to {
            fn from(word: $from) -> Self {
                match word { $(<$from>::$word => <$to>::$word),+ }
            }
        }
    };
}

words!(Profile => hindscope::Profile { Strict, Lenient });
words!(Policy => hindscope::Policy { Fifo, Recency, RelevanceWeighted });
words!(Layout => hindscope::Layout {
    Plain, AiwgTemplate, AiwgGuide, AiwgMemory, ReflexionAlfworld, Episodic
});
words!(hindscope::More => More { Wanted, Enough });
words!(hindscope::Severity => Severity { Error, Warning, Info });
words!(hindscope::Verdict => Verdict { Conforms, Usable, Unusable });
words!(hindscope::Origin => Origin { Reported, Derived, None });
words!(hindscope::SourceState => SourceState { Reading, Read, Raw, Refused });
words!(hindscope::Outcome => Outcome { Success, Partial, Failure, Running, Aborted, Void, Unknown });
words!(Outcome => hindscope::Outcome { Success, Partial, Failure, Running, Aborted, Void, Unknown });

impl From<hindscope::Evidence> for Evidence {
    fn from(evidence: hindscope::Evidence) -> Self {
        Self { record: evidence.record.0, number: evidence.number }
    }
}

impl From<hindscope::Finding> for Finding {
    fn from(finding: hindscope::Finding) -> Self {
        Self {
            rule: finding.rule.into_owned(),
            severity: finding.severity.into(),
            source: finding.source.map(|id| id.0),
            record: finding.record.map(|id| id.0),
            run: finding.run.map(|id| id.0),
            iteration: finding.iteration,
            line: finding.line,
            column: finding.column,
            offset: finding.offset,
            pointer: finding.pointer,
            expected: finding.expected,
            found: finding.found,
            evidence: finding.evidence.into_iter().map(Into::into).collect(),
            message: finding.message,
            hint: finding.hint.map(std::borrow::Cow::into_owned),
        }
    }
}

impl From<hindscope::Validation> for Validation {
    fn from(validation: hindscope::Validation) -> Self {
        Self {
            valid: validation.valid,
            verdict: validation.verdict.into(),
            findings: validation.findings.into_iter().map(Into::into).collect(),
        }
    }
}

impl From<hindscope::Entry> for Entry {
    fn from(entry: hindscope::Entry) -> Self {
        Self {
            number: entry.number,
            outcome: entry.outcome.into(),
            text: entry.text,
            insights: entry.insights,
            lessons: entry.lessons,
            strategy: entry.strategy,
            kind: entry.kind,
            effectiveness: entry.effectiveness,
            observation: entry.observation,
            analysis: entry.analysis,
            learning: entry.learning,
            action_items: entry.action_items,
            tokens: entry.tokens,
        }
    }
}

impl From<Entry> for hindscope::Entry {
    fn from(entry: Entry) -> Self {
        Self {
            number: entry.number,
            outcome: entry.outcome.into(),
            text: entry.text,
            insights: entry.insights,
            lessons: entry.lessons,
            strategy: entry.strategy,
            kind: entry.kind,
            effectiveness: entry.effectiveness,
            observation: entry.observation,
            analysis: entry.analysis,
            learning: entry.learning,
            action_items: entry.action_items,
            tokens: entry.tokens,
        }
    }
}

impl From<WindowRule> for hindscope::WindowRule {
    fn from(rule: WindowRule) -> Self {
        let usual = Self::default();
        Self {
            omega: rule.omega,
            policy: rule.policy.into(),
            failures_only: rule.failures_only,
            token_budget: rule.token_budget,
            half_life: rule.half_life.unwrap_or(usual.half_life),
            dynamic_omega: rule.dynamic_omega,
        }
    }
}

impl From<hindscope::MemoryMetadata> for MemoryMetadata {
    fn from(metadata: hindscope::MemoryMetadata) -> Self {
        Self {
            omega_capacity: metadata.omega_capacity,
            current_memory_size: metadata.current_memory_size,
            reflections_in_context: metadata.reflections_in_context,
            window_policy: metadata.window_policy.to_owned(),
            total_reflections_generated: metadata.total_reflections_generated,
        }
    }
}
