/** A piece of an answer: what the model says, or what it thinks. */
type Part = { kind: 'text' | 'thinking'; text: string }

export type ThinkSplitter = {
  push(text: string): Part[]
  /** What was held back because it may have been a tag. */
  end(): Part[]
}

const open = /^\s*<(think|thinking|thought|reasoning)>\s*/
const maxTagLength = '</reasoning>'.length

/**
 * Splits thinking in tags off an answer that streams in pieces cut anywhere. Local models put it into the text, as
 * `<think>…</think>`, before anything else; tags elsewhere are text.
 */
export function splitThinking(): ThinkSplitter {
  let state: 'start' | 'thinking' | 'after' | 'text' = 'start'
  let held = ''
  let close = ''

  function push(text: string): Part[] {
    if (state === 'text') return text === '' ? [] : [{ kind: 'text', text }]
    held += text
    if (state === 'start') return start()
    return state === 'thinking' ? think() : after()
  }

  function start(): Part[] {
    const tag = open.exec(held)
    if (tag) {
      close = `</${tag[1]}>`
      held = held.slice(tag[0].length)
      state = 'thinking'
      return think()
    }
    const begun = held.trimStart()
    const mayBecomeTag = begun === '' || (begun.length < maxTagLength && /^<[a-z]*$/.test(begun))
    return mayBecomeTag && held.length < 200 ? [] : release('text')
  }

  function think(): Part[] {
    const at = held.indexOf(close)
    if (at === -1) {
      const keep = endOverlap(held, close)
      const part = held.slice(0, held.length - keep)
      held = held.slice(held.length - keep)
      return part === '' ? [] : [{ kind: 'thinking', text: part }]
    }
    const part = held.slice(0, at)
    held = held.slice(at + close.length)
    state = 'after'
    return [...(part === '' ? [] : [{ kind: 'thinking' as const, text: part }]), ...after()]
  }

  /** Blank lines between the thinking and the answer belong to neither. */
  function after(): Part[] {
    held = held.trimStart()
    return held === '' ? [] : release('text')
  }

  function release(next: 'text'): Part[] {
    const text = held
    held = ''
    state = next
    return text === '' ? [] : [{ kind: 'text', text }]
  }

  return {
    push,
    end() {
      if (state === 'thinking') {
        const text = held
        held = ''
        return text === '' ? [] : [{ kind: 'thinking', text }]
      }
      return state === 'after' ? [] : release('text')
    },
  }
}

/** Characters at the end of `text` that `tag` begins with. */
function endOverlap(text: string, tag: string): number {
  for (let length = Math.min(tag.length - 1, text.length); length > 0; length -= 1) {
    if (text.endsWith(tag.slice(0, length))) return length
  }
  return 0
}
