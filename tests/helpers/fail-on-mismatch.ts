// Fails the test in which an answer did not match the schema of its route.

import { afterAll, afterEach } from 'vitest'
import { takeMismatches } from './check-answers.ts'

function failOnMismatch(): void {
  const mismatches = takeMismatches()
  if (mismatches.length > 0) throw new Error(`answers differ from their schemas:\n${mismatches.join('\n')}`)
}

afterEach(failOnMismatch)
afterAll(failOnMismatch)
