// What in a migration cannot be done while the release before serves, on tables that are large: by squawk, and by rules
// of our own for what it lets pass.

import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'

export type Finding = { file: string; rule: string }

const squawk = fileURLToPath(new URL('../../node_modules/.bin/squawk', import.meta.url))

/** Of taste, or settled by the one who runs migrations: all in one transaction, with a time limit for locks. */
const settled = [
  'prefer-bigint-over-int',
  'prefer-identity',
  'prefer-robust-stmts',
  'prefer-text-field',
  'require-lock-timeout',
  'require-statement-timeout',
]

const Report = z.array(z.object({ file: z.string(), rule_name: z.string() }))

/** The findings in migrations, each once for a file. */
export function lintMigrations(paths: readonly string[]): Finding[] {
  const args = [
    '--reporter',
    'json',
    '--pg-version',
    '15',
    '--assume-in-transaction',
    '--exclude',
    settled.join(','),
    ...paths,
  ]
  const { stdout, stderr, error } = spawnSync(squawk, args, { encoding: 'utf8' })
  if (error || stdout === '') throw new Error(`squawk failed: ${error?.message ?? stderr}`)
  const known = Report.parse(JSON.parse(stdout)).map(({ file, rule_name }) => ({
    file: basename(file),
    rule: rule_name,
  }))
  const own = paths.flatMap((path) =>
    ownRules(readFileSync(path, 'utf8')).map((rule) => ({ file: basename(path), rule })),
  )
  const byKey = new Map([...known, ...own].map((finding) => [`${finding.file} ${finding.rule}`, finding]))
  return [...byKey.values()].sort((a, b) => `${a.file} ${a.rule}`.localeCompare(`${b.file} ${b.rule}`, 'en'))
}

/** The rules that a migration with this text breaks. */
export function lintMigration(sql: string): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'void-lint-'))
  try {
    const path = join(folder, '001_tried.sql')
    writeFileSync(path, sql)
    return lintMigrations([path]).map(({ rule }) => rule)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function ownRules(sql: string): string[] {
  const statements = statementsOf(sql)
  const created = new Set(
    statements.flatMap((statement) => /^create table (?:if not exists )?(\w+)/.exec(statement)?.[1] ?? []),
  )
  return statements.flatMap((statement) => {
    const changed = /^(?:update|delete from|with\b.*\b(?:update|delete from)) (\w+)/.exec(statement)?.[1]
    if (changed && !created.has(changed)) return ['changes-rows']
    if (/^drop (function|procedure|view|materialized view|type|trigger|index)\b/.test(statement))
      return ['drops-what-is-used']
    if (/^(truncate|cluster|reindex|vacuum full|lock table)\b/.test(statement)) return ['locks-table']
    return []
  })
}

/** Without comments and bodies of functions, in small letters and with single spaces. */
const statementsOf = (sql: string): string[] =>
  sql
    .replace(/\$(\w*)\$[\s\S]*?\$\1\$/g, "''")
    .replace(/--[^\n]*/g, '')
    .split(';')
    .map((statement) => statement.trim().toLowerCase().replace(/\s+/g, ' '))
    .filter(Boolean)
