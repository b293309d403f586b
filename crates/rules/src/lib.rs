//! The rules of Go: boards, topologies, rulesets, legality, scoring, ladders and pass-alive areas.
