//! The controller's side of GTP.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use honinbo_evaluator::StopFlag;

use super::lines::Next;
use super::process::Process;
use super::{CommandLine, EngineError};

/// Bytes of one answer.
const MAX_ANSWER_BYTES: usize = 8 << 20;
/// Lines and bytes outside of answers that are passed over: greetings, warnings. What comes after the end of an answer that
/// went on is none of them: an engine may be slow to end its analysis, and time alone bounds what it says until then.
const MAX_NOISE: (usize, usize) = (1000, 256 << 10);
/// How often somebody's wish to stop is looked for.
const LOOK: Duration = Duration::from_millis(20);
/// What ends an answer that goes on: every program knows it.
const ENDING: &str = "protocol_version";
/// Letters of a line that an error repeats.
const QUOTED: usize = 80;

/// How long a program may take.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EngineLimits {
    /// From its start to its first answer: reading a large network takes long.
    pub start: Duration,
    /// For commands that do not make it think.
    pub answer: Duration,
}

impl Default for EngineLimits {
    /// A minute and a half to start, 20 seconds for an answer.
    fn default() -> Self {
        Self { start: Duration::from_secs(90), answer: Duration::from_secs(20) }
    }
}

/// A program that speaks GTP (version 2, G. Farnebäck 2002), asked one command at a time.
///
/// After an error that does not leave it running (see [`EngineError::leaves_it_running`]) the program is ended, and
/// every further question is answered with [`EngineError::Gone`].
pub struct GtpClient {
    process: Process,
    limits: EngineLimits,
    /// Whether it repeats the numbers of commands. All should; those that do not are still understood.
    numbered: bool,
    asked: u32,
    gone: bool,
    commands: BTreeSet<String>,
    name: String,
    version: String,
    /// Set by whoever does not want it any more, whatever it is at.
    abandoned: StopFlag,
}

impl GtpClient {
    /// Starts a program and asks it who it is and what it can.
    ///
    /// # Errors
    /// When it does not start, or is no GTP engine.
    pub fn start(line: &CommandLine, limits: EngineLimits) -> Result<GtpClient, EngineError> {
        GtpClient::start_unless(StopFlag::new(), line, limits)
    }

    /// As [`GtpClient::start`]; once `abandoned` is set nothing is waited for any more, not even the start: the program
    /// is given up.
    ///
    /// # Errors
    /// When it does not start, or is no GTP engine.
    pub fn start_unless(
        abandoned: StopFlag,
        line: &CommandLine,
        limits: EngineLimits,
    ) -> Result<GtpClient, EngineError> {
        let mut client = GtpClient {
            process: Process::start(line)?,
            limits,
            numbered: true,
            asked: 0,
            gone: false,
            commands: BTreeSet::new(),
            name: String::new(),
            version: String::new(),
            abandoned,
        };
        let version = client.ask_within("protocol_version", limits.start)?;
        if version.trim() != "2" {
            let error = client.nonsense("protocol_version", &version);
            return Err(client.give_up(error));
        }
        client.commands = client.ask("list_commands")?.split_whitespace().map(str::to_owned).collect();
        client.name = client.ask_or_nothing("name")?;
        client.version = client.ask_or_nothing("version")?;
        Ok(client)
    }

    /// Another flag takes the place of that of [`GtpClient::start_unless`].
    pub(super) fn abandon_when(&mut self, abandoned: StopFlag) {
        self.abandoned = abandoned;
    }

    /// What it calls itself; its program's name when it has none.
    #[must_use]
    pub fn name(&self) -> &str {
        if self.name.is_empty() { self.process.program() } else { &self.name }
    }

    /// Its version, possibly empty.
    #[must_use]
    pub fn version(&self) -> &str {
        &self.version
    }

    /// Whether it says that it knows a command.
    #[must_use]
    pub fn knows(&self, command: &str) -> bool {
        self.commands.contains(command)
    }

    /// Whether it was given up.
    #[must_use]
    pub fn is_gone(&self) -> bool {
        self.gone
    }

    /// Asks something that does not need thought.
    ///
    /// # Errors
    /// See [`GtpClient::ask_within`].
    pub fn ask(&mut self, command: &str) -> Result<String, EngineError> {
        self.ask_within(command, self.limits.answer)
    }

    /// Asks, and waits so long for the answer, which is given without its `=` and its last line break.
    ///
    /// # Errors
    /// [`EngineError::Refused`] when it said no; anything else means that it is given up.
    pub fn ask_within(&mut self, command: &str, within: Duration) -> Result<String, EngineError> {
        if self.gone {
            return Err(EngineError::Gone { program: self.process.program().to_owned() });
        }
        // One question must stay one line.
        let command: String = command.chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect();
        match self.exchange(&command, Some(MAX_NOISE), within) {
            Err(error) if !error.leaves_it_running() => Err(self.give_up(error)),
            answer => answer,
        }
    }

    /// Gives a command whose answer goes on until something else is asked, and hands its lines on until `on_line` says
    /// that it wants no more, `stop` is set, or the answer ends by itself.
    ///
    /// # Errors
    /// [`EngineError::Refused`] when it said no; anything else means that it is given up.
    pub fn stream(
        &mut self,
        command: &str,
        stop: &StopFlag,
        on_line: &mut dyn FnMut(&str) -> bool,
    ) -> Result<(), EngineError> {
        if self.gone {
            return Err(EngineError::Gone { program: self.process.program().to_owned() });
        }
        match self.read_stream(command, stop, on_line) {
            Err(error) if !error.leaves_it_running() => Err(self.give_up(error)),
            result => result,
        }
    }

    fn read_stream(
        &mut self,
        command: &str,
        stop: &StopFlag,
        on_line: &mut dyn FnMut(&str) -> bool,
    ) -> Result<(), EngineError> {
        let within = self.limits.answer;
        let deadline = Instant::now() + within;
        self.send(command)?;
        let (mark, first) = self.first_line(command, Some(MAX_NOISE), deadline, within)?;
        if mark == b'?' {
            let text = self.rest_of_answer(command, &first, deadline, within)?;
            return Err(self.refused(command, &text));
        }
        let mut wants_more = first.iter().all(u8::is_ascii_whitespace) || on_line(&String::from_utf8_lossy(&first));
        while wants_more && !stop.is_set() {
            match self.process.lines.next(Instant::now() + LOOK) {
                Next::Line(line) if line.iter().all(u8::is_ascii_whitespace) => return Ok(()),
                Next::Line(line) => wants_more = on_line(&String::from_utf8_lossy(&line)),
                Next::TimeOver => {}
                Next::Ended => return Err(self.ended(command)),
            }
        }
        // Whatever is asked next ends it. What it still says before that answer is passed over, however much it is.
        self.exchange(ENDING, None, within).map(drop)
    }

    /// Sends a command under the next number; what waited from before is nobody's any more.
    fn send(&mut self, command: &str) -> Result<(), EngineError> {
        let early = self.process.lines.drain();
        if !self.numbered
            && let Some(line) = early.iter().find(|line| matches!(line.first(), Some(b'=' | b'?')))
        {
            return Err(EngineError::OutOfTurn { program: self.program(), line: quoted(line) });
        }
        self.asked += 1;
        self.process.send(if self.numbered { format!("{} {command}", self.asked) } else { command.to_owned() });
        Ok(())
    }

    fn exchange(
        &mut self,
        command: &str,
        most_noise: Option<(usize, usize)>,
        within: Duration,
    ) -> Result<String, EngineError> {
        let deadline = Instant::now() + within;
        self.send(command)?;
        let (mark, first) = self.first_line(command, most_noise, deadline, within)?;
        let text = self.rest_of_answer(command, &first, deadline, within)?;
        if mark == b'=' { Ok(text) } else { Err(self.refused(command, &text)) }
    }

    /// The mark of the answer to the command that was sent last, and its first line without mark and number. Before it,
    /// lines and bytes up to `most_noise` are passed over; without that, whatever comes in time.
    fn first_line(
        &mut self,
        command: &str,
        most_noise: Option<(usize, usize)>,
        deadline: Instant,
        within: Duration,
    ) -> Result<(u8, Vec<u8>), EngineError> {
        let mut noise = (0, 0);
        let mut last_noise = Vec::new();
        loop {
            let line = match self.next_line(command, deadline, within) {
                // That it says something, and what, tells more than that it is late.
                Err(EngineError::Late { .. }) if !last_noise.is_empty() => {
                    return Err(self.nonsense(command, &String::from_utf8_lossy(&last_noise)));
                }
                line => line?,
            };
            let Some(&mark @ (b'=' | b'?')) = line.first() else {
                let Some(most_noise) = most_noise else { continue };
                noise = (noise.0 + 1, noise.1 + line.len());
                if noise.0 > most_noise.0 || noise.1 > most_noise.1 {
                    return Err(self.nonsense(command, &String::from_utf8_lossy(&line)));
                }
                last_noise = line;
                continue;
            };
            let digits = line[1..].iter().take_while(|letter| letter.is_ascii_digit()).count();
            let number: Option<u32> = std::str::from_utf8(&line[1..=digits]).ok().and_then(|text| text.parse().ok());
            let first = line[1 + digits..].to_vec();
            match number {
                _ if !self.numbered => {}
                Some(number) if number == self.asked => {}
                // The answer to a question that was given up.
                Some(number) if number < self.asked => {
                    self.rest_of_answer(command, &first, deadline, within)?;
                    continue;
                }
                None if self.asked == 1 => self.numbered = false,
                _ => return Err(EngineError::OutOfTurn { program: self.program(), line: quoted(&line) }),
            }
            return Ok((mark, first));
        }
    }

    /// An answer from its first line, without mark and number, to the empty line after it.
    fn rest_of_answer(
        &mut self,
        command: &str,
        first: &[u8],
        deadline: Instant,
        within: Duration,
    ) -> Result<String, EngineError> {
        let mut text = first.to_vec();
        loop {
            let line = self.next_line(command, deadline, within)?;
            if line.iter().all(u8::is_ascii_whitespace) {
                return Ok(String::from_utf8_lossy(&text).trim().to_owned());
            }
            if text.len() + line.len() > MAX_ANSWER_BYTES {
                let command = command.to_owned();
                return Err(EngineError::TooMuch { program: self.program(), command, limit: MAX_ANSWER_BYTES });
            }
            text.push(b'\n');
            text.extend(line);
        }
    }

    fn next_line(&mut self, command: &str, deadline: Instant, within: Duration) -> Result<Vec<u8>, EngineError> {
        let next = loop {
            if self.abandoned.is_set() {
                return Err(EngineError::Gone { program: self.program() });
            }
            // A program that always has another line would never let the queue run dry.
            let now = Instant::now();
            if now >= deadline {
                break Next::TimeOver;
            }
            match self.process.lines.next(deadline.min(now + LOOK)) {
                Next::TimeOver => {}
                next => break next,
            }
        };
        match next {
            Next::Line(mut line) => {
                if line.last() == Some(&b'\r') {
                    line.pop();
                }
                Ok(line)
            }
            Next::TimeOver => Err(EngineError::Late {
                program: self.program(),
                command: command.to_owned(),
                seconds: within.as_secs_f64(),
            }),
            Next::Ended => Err(self.ended(command)),
        }
    }

    fn ended(&mut self, command: &str) -> EngineError {
        let (how, complaint) = self.process.end();
        let said = if complaint.is_empty() { String::new() } else { format!(": {}", quoted(complaint.as_bytes())) };
        EngineError::Ended { program: self.program(), how, command: command.to_owned(), said }
    }

    fn refused(&self, command: &str, text: &str) -> EngineError {
        let message = quoted(text.as_bytes());
        EngineError::Refused { program: self.program(), command: command.to_owned(), message }
    }

    fn ask_or_nothing(&mut self, command: &str) -> Result<String, EngineError> {
        match self.ask(command) {
            Ok(text) => Ok(quoted(text.as_bytes())),
            Err(error) if error.leaves_it_running() => Ok(String::new()),
            Err(error) => Err(error),
        }
    }

    fn give_up(&mut self, error: EngineError) -> EngineError {
        self.gone = true;
        self.process.end();
        error
    }

    fn nonsense(&self, command: &str, line: &str) -> EngineError {
        EngineError::Nonsense { program: self.program(), command: command.to_owned(), line: quoted(line.as_bytes()) }
    }

    pub(super) fn program(&self) -> String {
        self.process.program().to_owned()
    }
}

impl Drop for GtpClient {
    fn drop(&mut self) {
        if !self.gone {
            self.process.send("quit".into());
        }
    }
}

/// The beginning of what a program said, in one line that can be shown.
pub(super) fn quoted(text: &[u8]) -> String {
    let text = String::from_utf8_lossy(&text[..text.len().min(4 * QUOTED)]).trim().to_owned();
    let shown: String =
        text.chars().take(QUOTED).map(|letter| if letter.is_control() { ' ' } else { letter }).collect();
    if shown.len() < text.len() { shown + "…" } else { shown }
}
