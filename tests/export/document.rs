//! What programs rely on in the JSON of a run: its schema, and that its parts say the same.

use serde_json::Value;

const SCHEMA: &str = include_str!("run.schema.json");

/// The schema, compiled once for many documents.
pub struct Checker {
    schemas: boon::Schemas,
    at: boon::SchemaIndex,
}

impl Checker {
    pub fn new() -> Self {
        let schema: Value = serde_json::from_str(SCHEMA).expect("JSON");
        let (mut schemas, mut compiler) = (boon::Schemas::new(), boon::Compiler::new());
        compiler.add_resource("run.schema.json", schema).expect("a schema");
        let at = compiler.compile("run.schema.json", &mut schemas).expect("a schema that compiles");
        Self { schemas, at }
    }

    /// Checks one run, at whose beginning so many messages were on their way.
    pub fn check(&self, run: &Value, begun: usize) {
        if let Err(error) = self.schemas.validate(run, self.at) {
            panic!("{error}");
        }
        parts_agree(run, begun);
    }
}

fn parts_agree(run: &Value, begun: usize) {
    let list = |key: &str| run[key].as_array().expect(key);
    let steps = list("steps");
    let told = |key: &str| -> Vec<&Value> {
        steps.iter().map(|step| &step[key]).filter(|value| !value.is_null()).collect()
    };
    assert!(told("event").into_iter().eq(list("schedule")));
    assert!(told("entered").into_iter().eq(list("entries")));
    assert!(told("left").into_iter().eq(list("exits")));
    assert!(steps.iter().zip(1..).all(|(step, n)| step["n"] == n));
    let nodes = |step: &Value| -> Vec<String> {
        step["nodes"].as_object().expect("nodes by name").keys().cloned().collect()
    };
    assert!(steps.windows(2).all(|pair| nodes(&pair[0]) == nodes(&pair[1])));
    let known = |name: &Value| steps.is_empty() || nodes(&steps[0]).iter().any(|n| name == n);
    assert!(list("nodes").iter().chain(list("entries")).all(known));

    // Nothing gets lost or comes of itself: what was sent or copied has arrived, is lost or on its way.
    let sent: usize = steps.iter().map(|step| step["sent"].as_array().map_or(0, Vec::len)).sum();
    let gone = told("delivered").len() + told("lost").len();
    assert_eq!(begun + sent + told("copied").len(), gone + list("in_flight").len());
    let kinds = run["messages"].as_object().expect("counts by kind");
    let counted: u64 =
        kinds.iter().filter(|(k, _)| *k != "total").filter_map(|(_, n)| n.as_u64()).sum();
    assert!(kinds["total"].as_u64() <= Some(counted));
    assert_eq!(counted as usize, sent, "every message is counted under its kind");
}
