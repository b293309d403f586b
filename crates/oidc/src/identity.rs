//! Who somebody is, as the provider says.

use serde_json::{Map, Value};

/// Longest name that is looked at, in bytes.
const MAX_NAME: usize = 200;

/// Somebody whom the provider knows. Issuer and subject say who it is; the rest may change, and may be anybody's.
#[derive(Debug, Clone, PartialEq)]
pub struct Identity {
    /// The provider.
    pub issuer: String,
    /// The person's name there, which no other person ever has.
    pub subject: String,
    /// What the provider calls its session with the browser (`sid`), where it says so. It tells by this name that the
    /// session has ended.
    pub session: Option<String>,
    /// Everything else that was said.
    pub(crate) claims: Map<String, Value>,
}

impl Identity {
    /// Something that was said of the person.
    #[must_use]
    pub fn claim(&self, name: &str) -> Option<&Value> {
        self.claims.get(name)
    }

    /// Names that the person may wish for here, the best one first.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        ["preferred_username", "nickname", "name", "given_name"].into_iter().filter_map(|claim| {
            let name = self.claims.get(claim)?.as_str()?.trim();
            // Some providers have addresses as names: what stands before the sign is the name.
            let name = name.split_once('@').map_or(name, |(name, _)| name);
            (!name.is_empty() && name.len() <= MAX_NAME).then_some(name)
        })
    }

    /// The domain of the e-mail address, in lower case, where the provider has verified that it is the person's.
    #[must_use]
    pub fn email_domain(&self) -> Option<String> {
        if !is_true(self.claims.get("email_verified")?) {
            return None;
        }
        let (_, domain) = self.claims.get("email")?.as_str()?.rsplit_once('@')?;
        Some(domain.trim().to_ascii_lowercase())
    }

    /// Whether a claim has a value, or has it in its list.
    #[must_use]
    pub fn has(&self, claim: &str, value: &str) -> bool {
        let is_it = |found: &Value| match found {
            Value::String(text) => text == value,
            Value::Bool(found) => value == if *found { "true" } else { "false" },
            Value::Number(found) => value.parse().is_ok_and(|wanted: serde_json::Number| wanted == *found),
            _ => false,
        };
        match self.claims.get(claim) {
            Some(Value::Array(list)) => list.iter().any(is_it),
            Some(one) => is_it(one),
            None => false,
        }
    }
}

/// Some providers write it as text.
fn is_true(value: &Value) -> bool {
    value == &Value::Bool(true) || value.as_str().is_some_and(|text| text.eq_ignore_ascii_case("true"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn identity(claims: Value) -> Identity {
        let Value::Object(claims) = claims else { panic!("claims are an object") };
        Identity { issuer: "https://id.example".into(), subject: "7".into(), session: None, claims }
    }

    #[test]
    fn a_name_is_what_stands_before_the_sign() {
        let names = |claims| identity(claims).names().map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(names(json!({ "name": "Anna B", "preferred_username": "anna@school.example" })), ["anna", "Anna B"]);
        assert!(names(json!({ "name": "", "nickname": 3, "email": "anna@school.example" })).is_empty());
    }

    #[test]
    fn only_a_verified_address_has_a_domain() {
        let domain = |claims| identity(claims).email_domain();
        assert_eq!(
            domain(json!({ "email": "a@School.Example", "email_verified": true })),
            Some("school.example".into())
        );
        assert_eq!(
            domain(json!({ "email": "a@evil@school.example", "email_verified": "true" })),
            Some("school.example".into())
        );
        for claims in [
            json!({ "email": "a@school.example" }),
            json!({ "email": "a@school.example", "email_verified": false }),
            json!({ "email": "school.example", "email_verified": true }),
        ] {
            assert_eq!(domain(claims.clone()), None, "{claims}");
        }
    }

    #[test]
    fn a_claim_has_a_value_or_a_list_of_them() {
        let person = identity(json!({ "groups": ["go", "teachers"], "role": "admin", "staff": true }));
        assert!(person.has("groups", "teachers") && person.has("role", "admin") && person.has("staff", "true"));
        assert!(!person.has("groups", "teach") && !person.has("role", "adm") && !person.has("none", ""));
    }
}
