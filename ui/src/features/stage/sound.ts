/** The sounds of the board; all are computed, none is recorded. */

let audio: AudioContext | undefined

/** Plays a stone; captured stones rattle a little after it. */
export function playStoneSound(captured: number): void {
  play((context, now) => {
    knock(context, now, 0.55)
    for (let stone = 0; stone < Math.min(captured, 5); stone++) knock(context, now + 0.09 + stone * 0.045, 0.16)
  })
}

/** A low tone: somebody has passed. */
export function playPassSound(): void {
  play((context, now) => ring(context, now, 294))
}

/** Two rising tones that call somebody: a game begins, or an invitation has come. */
export function playCallSound(): void {
  play((context, now) => {
    ring(context, now, 587)
    ring(context, now + 0.18, 880)
  })
}

function play(sound: (context: AudioContext, now: number) => void): void {
  try {
    audio ??= new AudioContext()
    if (audio.state === 'suspended') void audio.resume()
    sound(audio, audio.currentTime)
  } catch {
    // A machine without sound is a quiet machine.
  }
}

function ring(context: AudioContext, at: number, frequency: number): void {
  const tone = context.createOscillator()
  tone.frequency.value = frequency
  const fall = context.createGain()
  fall.gain.setValueAtTime(0.2, at)
  fall.gain.exponentialRampToValueAtTime(0.001, at + 0.4)
  tone.connect(fall).connect(context.destination)
  tone.start(at)
  tone.stop(at + 0.4)
}

/** A stone on wood: a short knock of filtered noise over the board's own low tone. */
function knock(context: AudioContext, at: number, loudness: number): void {
  const length = 0.06
  const buffer = context.createBuffer(1, Math.ceil(context.sampleRate * length), context.sampleRate)
  const samples = buffer.getChannelData(0)
  for (let index = 0; index < samples.length; index++) samples[index] = (Math.random() * 2 - 1) * Math.exp(-index / samples.length * 9)
  const noise = context.createBufferSource()
  noise.buffer = buffer
  const filter = context.createBiquadFilter()
  filter.type = 'bandpass'
  filter.frequency.value = 1900 + Math.random() * 350
  filter.Q.value = 1.6
  const volume = context.createGain()
  volume.gain.value = loudness
  noise.connect(filter).connect(volume).connect(context.destination)

  const tone = context.createOscillator()
  tone.frequency.setValueAtTime(330, at)
  tone.frequency.exponentialRampToValueAtTime(170, at + 0.06)
  const fall = context.createGain()
  fall.gain.setValueAtTime(loudness * 0.5, at)
  fall.gain.exponentialRampToValueAtTime(0.001, at + 0.09)
  tone.connect(fall).connect(context.destination)
  noise.start(at)
  tone.start(at)
  tone.stop(at + 0.1)
}
