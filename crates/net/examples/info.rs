fn main() {
    for a in std::env::args().skip(1) {
        let f = honinbo_net::NetworkFile::open(a.as_ref(), &honinbo_net::Limits::default()).unwrap();
        println!("{}\n", f.info());
    }
}
