// The text with which the fake Messages API answers, and whether a server sent all of it: one that leaves out a part of
// the turn does not count as a fast one.

import { createProse } from './prose.ts'

export const answerDeltas = 200
export const answerText = createProse(7)
  .words(1000)
  .join(' ')
  .slice(0, answerDeltas * 20)

/** How a server says on the wire what a turn does. */
export type Wire = {
  /** The text of a frame that carries some of the answer, `undefined` for every other frame. */
  readText(frame: string): string | undefined
  isToolResult(frame: string): boolean
  isEnd(frame: string): boolean
}

/** The events of Void and of every server here that makes its own frames. */
export const ownEvents: Wire = {
  readText: (frame) => (frame.includes('event: delta\n') ? dataOf(frame).text : undefined),
  isToolResult: (frame) => frame.includes('event: tool\n') && dataOf(frame).status === 'done',
  isEnd: (frame) => frame.includes('event: done\n'),
}

/** The UI message stream of the AI SDK. */
export const uiMessageStream: Wire = {
  readText: (frame) => (frame.includes('"type":"text-delta"') ? dataOf(frame).delta : undefined),
  isToolResult: (frame) => frame.includes('"type":"tool-output-available"'),
  isEnd: (frame) => frame === 'data: [DONE]',
}

/** Throws unless the frames of a turn hold two results of tools and the whole answer. */
export function checkWholeTurn(frames: readonly string[], wire: Wire): void {
  const texts = frames.map(wire.readText).filter((text) => text !== undefined)
  const results = frames.filter(wire.isToolResult).length
  if (results !== 2) throw new Error(`A turn had ${results} results of tools instead of 2.`)
  if (texts.join('') !== answerText) {
    throw new Error(`A turn sent ${texts.length} pieces of text that are not the answer: ${texts.join('')}`)
  }
  if (texts.length !== answerDeltas)
    throw new Error(`A turn sent the answer in ${texts.length} pieces instead of ${answerDeltas}.`)
}

const dataOf = (frame: string) => JSON.parse(frame.slice(frame.indexOf('data: ') + 'data: '.length))
