//! Measures cards in a large library: `cargo run --release -p honinbo-library --example cards -- LIBRARY [CARDS TIMES FILE...]`
//! imports the files so many times, varied, makes so many cards of their positions, and prints the report of `bench_cards`
//! as JSON. Without files the library is measured as it is.

use std::path::PathBuf;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let library = PathBuf::from(arguments.next().ok_or("no library named")?);
    let mut number = || arguments.next().map_or(Ok(1), |text| text.parse());
    let (cards, times) = (number()?, number()?);
    let files: Vec<PathBuf> = arguments.map(PathBuf::from).collect();
    let report = honinbo_library::bench_cards(&library, &files, times, cards, 0)?;
    #[expect(clippy::print_stdout, reason = "an example says what it measured")]
    {
        println!("{}", serde_json::to_string_pretty(&report)?);
    }
    Ok(())
}
