// What a text tells its reader to do, however it is wrapped. The model that obeys it finds every order that a real one
// might: calls written out, and calls in texts that have to be decoded first.

export type Order = { name: string; input: unknown }

const maxOrders = 8
const maxSaid = 4000

export function findOrders(text: string): Order[] {
  const found = decodings(text).flatMap((plain) => [...writtenCalls(plain), ...jsonCalls(plain)])
  const unique = new Map(found.map((order) => [JSON.stringify(order), order]))
  return [...unique.values()].slice(0, maxOrders)
}

/** What the text wants said: what stands between `<<<` and `>>>`, else all of it. */
export function findAnswer(text: string): string {
  const wanted = decodings(text).flatMap((plain) => /<<<([\s\S]+?)>>>/.exec(plain)?.[1] ?? [])
  return (wanted[0] ?? text).slice(0, maxSaid)
}

/** `name({ … })` */
const writtenCalls = (text: string): Order[] =>
  [...text.matchAll(/\b([a-z][a-z_]{2,40})\(\s*(\{.*?\})\s*\)/gs)].flatMap(([, name, json]) => {
    const input = parse(json!)
    return input === undefined ? [] : [{ name: name!, input }]
  })

/** `{ "tool": "name", "input": { … } }` in a line */
const jsonCalls = (text: string): Order[] =>
  [
    ...text.matchAll(
      /\{\s*"(?:tool|name)"\s*:\s*"([\w-]{1,60})"\s*,\s*"(?:input|arguments)"\s*:\s*(\{.*?\})\s*\}/gs,
    ),
  ].flatMap(([, name, json]) => {
    const input = parse(json!)
    return input === undefined ? [] : [{ name: name!, input }]
  })

function decodings(text: string): string[] {
  const words = text.match(/[A-Za-z0-9+/]{24,}={0,2}/g) ?? []
  return [
    text,
    text.replace(/[\u200b-\u200f\u2060-\u2069\u202a-\u202e\ufeff\u00ad]/g, ''),
    text.normalize('NFKC'),
    text
      .replace(/&quot;/g, '"')
      .replace(/&lt;/g, '<')
      .replace(/&gt;/g, '>'),
    text.replace(/\\([_"{}()[\]])/g, '$1'),
    ...words.map((word) => Buffer.from(word, 'base64').toString()),
    ...words.flatMap((word) => (/^[0-9a-f]+$/i.test(word) ? [Buffer.from(word, 'hex').toString()] : [])),
    ...(/%7B/i.test(text) ? [percentDecoded(text)] : []),
    text.replace(/[a-z]/gi, rot13),
    [...text].reverse().join(''),
    [...text].flatMap(tagged).join(''),
  ]
}

function rot13(letter: string): string {
  const first = letter <= 'Z' ? 65 : 97
  return String.fromCharCode(((letter.charCodeAt(0) - first + 13) % 26) + first)
}

/** The tag characters of Unicode, which show nothing and spell ASCII. */
function tagged(character: string): string[] {
  const code = character.codePointAt(0)! - 0xe0000
  return code >= 0x20 && code < 0x7f ? [String.fromCharCode(code)] : []
}

function percentDecoded(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (run) => Buffer.from(run.replaceAll('%', ''), 'hex').toString())
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}
