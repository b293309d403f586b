//! dev
use honinbo_net::*;
use honinbo_rules::*;
use std::io::Read;
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let mut t = String::new();
    std::io::stdin().read_to_string(&mut t).unwrap();
    let mut s: Vec<u8> = vec![];
    let mut g: Vec<u8> = vec![];
    for l in t.lines() {
        let v: serde_json::Value = serde_json::from_str(l).unwrap();
        let (w, h) = (v["width"].as_u64().unwrap() as usize, v["height"].as_u64().unwrap() as usize);
        let size = BoardSize::new(w, h).unwrap();
        let mut game = Game::new(Setup::new(
            size,
            Topology::Plane,
            Ruleset::from_json(&v["rules"]).unwrap().ruleset,
            Komi::from_points(v["komi"].as_f64().unwrap()).unwrap(),
        ))
        .unwrap();
        for m in v["moves"].as_array().unwrap() {
            let c = if m[0] == "B" { Color::Black } else { Color::White };
            game.play_tolerant(c, Move::from_gtp(m[1].as_str().unwrap(), size).unwrap()).unwrap();
        }
        let mut sp = vec![0f32; 22 * w * h];
        let mut gl = vec![0f32; 19];
        encode(
            &game,
            &EvalParams {
                symmetry: Symmetry::new(v["symmetry"].as_u64().unwrap() as usize).unwrap(),
                ..Default::default()
            },
            &FeatureOptions { width: w, height: h, pass_alive_under_suicide: false },
            &mut sp,
            &mut gl,
        );
        s.extend(sp.iter().flat_map(|x| x.to_le_bytes()));
        g.extend(gl.iter().flat_map(|x| x.to_le_bytes()));
    }
    std::fs::write(format!("{}.s", a[1]), s).unwrap();
    std::fs::write(format!("{}.g", a[1]), g).unwrap();
}
