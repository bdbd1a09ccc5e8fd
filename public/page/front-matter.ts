// The properties at the head of a page, for showing. Only plain YAML is understood: `name: value`, lists in brackets
// or line by line, and block texts; whatever else a property holds is shown as it is written.

export type Property = { name: string; values: string[] }

export type SplitPage = {
  properties: Property[]
  /** The text after the block. */
  content: string
}

const block = /^---[ \t]*\r?\n([\s\S]*?)^---[ \t]*\r?(?:\n|(?![\s\S]))/m

/** Never throws: a block that is no YAML becomes a property without a name. */
export function splitProperties(text: string): SplitPage {
  const found = text.startsWith('---') ? block.exec(text) : null
  if (found?.index !== 0) return { properties: [], content: text }
  return { properties: readProperties(found[1] ?? ''), content: text.slice(found[0].length) }
}

function readProperties(yaml: string): Property[] {
  const properties: { name: string; value: string; lines: string[] }[] = []
  for (const line of yaml.split(/\r?\n/)) {
    if (line.trim() === '' || /^#/.test(line)) continue
    const top = /^([^\s:#'"[\]{}-][^:]*?)\s*:(?:\s+(.*))?$/.exec(line)
    if (top) properties.push({ name: top[1]!, value: (top[2] ?? '').trim(), lines: [] })
    else if (properties.length > 0) properties.at(-1)!.lines.push(line)
    else properties.push({ name: '', value: line, lines: [] })
  }
  return properties.map(({ name, value, lines }) => ({ name, values: readValues(value, lines) }))
}

function readValues(value: string, lines: string[]): string[] {
  if (lines.length === 0) return readInline(value)
  const items = lines.map((line) => /^\s*-\s+(.*)$/.exec(line)?.[1])
  if (value === '' && items.every((item) => item !== undefined)) return items.map(unquote)
  const isBlockText = /^[|>][+-]?$/.test(value)
  const text = lines.map((line) => line.trim()).join(value.startsWith('>') ? ' ' : '\n')
  return [isBlockText || value === '' ? text : `${value} ${text}`]
}

function readInline(value: string): string[] {
  const list = /^\[(?!\[)(.*)\]$/.exec(value)
  if (!list) return value === '' ? [] : [unquote(value)]
  const items = list[1]!.match(/"[^"]*"|'[^']*'|\[\[[^\]]*\]\]|[^,\s][^,]*/g) ?? []
  return items.map((item) => unquote(item.trim()))
}

function unquote(text: string): string {
  const quoted = /^(["'])(.*)\1$/.exec(text.trim())
  if (!quoted) return text.trim().replace(/\s+#.*$/, '')
  return quoted[1] === '"' ? quoted[2]!.replace(/\\(["\\])/g, '$1') : quoted[2]!.replaceAll("''", "'")
}
