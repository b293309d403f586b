/** The sound of a stone on wood: a short knock of filtered noise over the board's own low tone. No recording. */

let audio: AudioContext | undefined

/** Plays a stone; captured stones rattle a little after it. */
export function playStoneSound(captured: number): void {
  try {
    audio ??= new AudioContext()
    if (audio.state === 'suspended') void audio.resume()
    knock(audio, audio.currentTime, 0.55)
    for (let stone = 0; stone < Math.min(captured, 5); stone++) knock(audio, audio.currentTime + 0.09 + stone * 0.045, 0.16)
  } catch {
    // A machine without sound is a quiet machine.
  }
}

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
