// The table of error codes against the code: generated, complete, and with the status that each is thrown with.

import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { answerCodes, errorTable } from '../../lib/core/error-codes.ts'

const statuses: Record<string, { status: readonly number[] }> = answerCodes

test('docs/api.md has the table as it is generated', () => {
  expect(readFileSync('docs/api.md', 'utf8')).toContain(
    `<!-- errors: npm run docs:errors -->\n${errorTable()}\n<!-- /errors -->`,
  )
})

test('every code of the table is thrown somewhere, with one of its statuses', () => {
  const thrown = globSync('lib/**/*.ts').flatMap((file) => {
    const text = readFileSync(file, 'utf8')
    const literal = [...text.matchAll(/(?:new AppError|super)\(\s*'([a-z_]+)',\s*(\d{3}|status)/g)]
    const made = [...text.matchAll(/\b(conflict|rejected)\(\s*'([a-z_]+)'/g)]
    return [
      ...literal.map(([, code, status]) => ({ code: code!, status: Number(status) || null })),
      ...made.map(([, by, code]) => ({ code: code!, status: by === 'conflict' ? 409 : 401 })),
    ]
  })
  const wrong = thrown.filter(
    ({ code, status }) => statuses[code] && status !== null && !statuses[code].status.includes(status),
  )

  expect(wrong).toEqual([])
  const codes = new Set(thrown.map(({ code }) => code))
  expect(Object.keys(answerCodes).filter((code) => !codes.has(code))).toEqual([])
  expect(codes.size).toBeGreaterThan(80)
})
