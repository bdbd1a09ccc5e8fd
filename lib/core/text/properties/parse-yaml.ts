import { type Document, type ParsedNode, parseDocument } from 'yaml'

const options = { schema: 'core', uniqueKeys: false, prettyErrors: false, logLevel: 'silent' } as const

/** Characters of YAML that are read. */
const maxLength = 32 * 1024

type ParsedYaml = { document: Document.Parsed; problem: null } | { document: null; problem: string }

/**
 * YAML from outside. What it costs is bounded: its length, no check for unique keys (quadratic), and no conversion of what
 * is nested (a key within a key within a key takes minutes from a few hundred characters, an alias of aliases any amount
 * of memory). `problem`: why it cannot be read. Never throws.
 */
export function parseYaml(yaml: string): ParsedYaml {
  if (yaml.length > maxLength) return failed(`it is longer than ${maxLength} characters`)
  try {
    const document = parseDocument<ParsedNode>(yaml, options)
    return document.errors[0] ? failed(document.errors[0].message) : { document, problem: null }
  } catch (error) {
    return failed(error instanceof Error ? error.message : String(error))
  }
}

const failed = (problem: string): ParsedYaml => ({ document: null, problem })
