import { readdirSync, readFileSync } from 'node:fs'

export type Statement = {
  /** The file's name, and the statement's first words that no other of the file begins with. */
  name: string
  /** With single spaces; what is put into it stands as a placeholder of the template. */
  sql: string
}

/** The statements that the files of a folder hold, as strings and templates that begin with a verb of SQL. */
export function readStatements(folder: string): Statement[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.ts'))
    .sort()
    .flatMap((file) => {
      const texts = literalsOf(readFileSync(`${folder}/${file}`, 'utf8'))
        .map((text) => text.trim().replace(/\s+/g, ' '))
        .filter((text) => /^(select|insert into|update|delete from|with) /.test(text))
      return texts.map((sql, at) => ({ name: `${file}: ${headOf(sql, texts, at)}`, sql }))
    })
}

/** The shortest beginning, of at least 40 characters, that tells a statement from the others; a number where none does. */
function headOf(sql: string, all: readonly string[], at: number): string {
  for (let length = 40; length < sql.length; length += 20) {
    const head = sql.slice(0, length)
    if (all.filter((other) => other.startsWith(head)).length === 1) return head.trim()
  }
  const same = all.slice(0, at).filter((other) => other === sql).length
  return same > 0 ? `${sql} (${same + 1})` : sql
}

/** The string and template literals of a source, those inside of others included. */
export function literalsOf(source: string): string[] {
  const found: string[] = []
  let at = 0
  readCode('')
  return found

  function readCode(until: string): void {
    let depth = 0
    while (at < source.length) {
      const char = source[at]!
      if (until && char === until && depth === 0) return
      if (char === '{') depth += 1
      if (char === '}') depth -= 1
      if (source.startsWith('//', at)) at = endOf('\n')
      else if (source.startsWith('/*', at)) at = endOf('*/')
      else if (char === "'" || char === '"') readString(char)
      else if (char === '`') readTemplate()
      else at += 1
    }
  }

  function readString(quote: string): void {
    const from = at + 1
    at = from
    while (at < source.length && source[at] !== quote) at += source[at] === '\\' ? 2 : 1
    found.push(source.slice(from, at))
    at += 1
  }

  function readTemplate(): void {
    let text = ''
    at += 1
    while (at < source.length && source[at] !== '`') {
      if (source[at] === '$' && source[at + 1] === '{') {
        const from = at
        at += 2
        readCode('}')
        at += 1
        text += source.slice(from, at)
      } else {
        text += source[at]
        at += 1
      }
    }
    found.push(text)
    at += 1
  }

  function endOf(mark: string): number {
    const end = source.indexOf(mark, at)
    return end === -1 ? source.length : end + mark.length
  }
}
