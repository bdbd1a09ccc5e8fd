// Long conversations with questions about them, made from episodes: for judging how messages are found. The same
// ones each time.

import { type Random, randomOf } from '../../fuzz/random.ts'
import type { Collection } from '../collection.ts'
import { type Episode, episodes } from './episodes.ts'

const names =
  `Nora Tomas Ines Viktor Greta Samuel Leila Jonas Maeve Anton Paula Cedric Hanna Omar Selma Rufus Dora Emil
Yara Felix Astrid Bruno Clara Dimitri Edith Farid Gloria Hugo Irma Jasper Kirsten Leon Marta Niels Olga Pavel Rita Simon
Tilda Urban Vera Walter Xenia Yusuf Zelda Albin Berta Caspar`.split(/\s+/)
const chatter = [
  ['Good morning! Did you sleep well?', 'Like a stone.', 'I envy you.'],
  ['It has been raining since five.', 'Here, too. I like the sound of it.', 'You would.'],
  ['Sorry, I was on the phone.', 'No hurry at all.'],
  ['Haha, true.', 'I thought you would say that.'],
  ['Are you still there?', 'Yes, just making tea.', 'Put the kettle on for me.'],
  ['By the way, thanks again for Sunday.', 'It was a pleasure, truly.'],
  ['I have to go soon.', 'Already? Then quickly the rest.'],
  ['What a week.', 'Tell me about it.', 'I would rather not.'],
]
const perConversation = 12

export const conversations = names.length / 2

/** Each message is a document with its speaker; those of a conversation share a thread. */
export function makeDialogues(): Collection {
  const random = randomOf(20, 0)
  const made: Collection = { documents: [], questions: [], relevant: new Map() }

  for (let n = 0; n < conversations; n += 1) {
    const speakers = [names[2 * n]!, names[2 * n + 1]!] as const
    const say = (speaker: string, text: string) => {
      made.documents.push({ id: `m${made.documents.length}`, title: '', text, thread: `t${n}`, speaker })
    }
    for (const episode of shuffled(episodes, random).slice(0, perConversation)) {
      for (const [at, text] of random.pick(chatter).entries()) say(speakers[(at % 2) as 0 | 1], text)
      const fill = filling(episode, { speakers, random })
      const first = made.documents.length
      for (const [speaker, text] of episode.lines) say(speakers[speaker], capitalized(fill(text)))
      const [text, answer] = random.pick(episode.questions)
      const id = `q${made.questions.length}`
      made.questions.push({ id, text: fill(text) })
      made.relevant.set(id, new Map([[`m${first + answer}`, 1]]))
    }
  }
  return made
}

function filling(
  { values }: Episode,
  { speakers, random }: { speakers: readonly string[]; random: Random },
): (text: string) => string {
  const drawn = new Map(Object.entries(values).map(([name, from]) => [name, random.pick(from)]))
  return (text) => text.replace(/\{(\w+)\}/g, (_, name: string) => drawn.get(name) ?? speakers[Number(name)]!)
}

const capitalized = (text: string) => `${text[0]!.toUpperCase()}${text.slice(1)}`

function shuffled<Value>(values: readonly Value[], random: Random): Value[] {
  return values
    .map((value) => ({ value, place: random.next() }))
    .sort((one, other) => one.place - other.place)
    .map(({ value }) => value)
}
