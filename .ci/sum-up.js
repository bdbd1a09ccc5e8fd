// node sum-up.js FOLDER [STAGE...]: one line for vitest's JSON results in FOLDER (STAGE.json) and the failed stages.
// A file of tests that could not be loaded counts as a failure, and so does a stage that failed though no test did:
// it crashed, hung, or isn't made of tests. Before it, what failed and why, and the files that took longest: a long
// log is often kept by its end alone.

import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'

const MOST_LINES_OF_A_FAILURE = 12
const MOST_CHARACTERS_OF_A_LINE = 240
const SLOWEST_FILES = 8

const [folder, ...failedStages] = process.argv.slice(2)
const explained = new Set()
let passed = 0
let failed = 0

for (const file of readdirSync(folder)) {
  const results = JSON.parse(readFileSync(join(folder, file), 'utf8'))
  const unloaded = results.testResults.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && !assertionResults.some((test) => test.status === 'failed'),
  )
  const failures = results.numFailedTests + unloaded.length
  passed += results.numPassedTests
  failed += failures
  if (failures > 0) explained.add(file.replace('.json', ''))
  report(file.replace('.json', ''), results.testResults, unloaded)
}

failed += failedStages.filter((stage) => !explained.has(stage)).length
console.log(`${passed} passed, ${failed} failed`)

function report(stage, files, unloaded) {
  for (const { name, message } of unloaded) print(`${stage}: ${relative('.', name)} was not run`, message)
  for (const { name, assertionResults } of files) {
    for (const test of assertionResults.filter(({ status }) => status === 'failed')) {
      print(`${stage}: ${relative('.', name)}: ${test.fullName}`, test.failureMessages.join('\n'))
    }
  }
  const slowest = files
    .map(({ name, startTime, endTime }) => ({ name, seconds: (endTime - startTime) / 1000 }))
    .sort((a, b) => b.seconds - a.seconds)
    .slice(0, SLOWEST_FILES)
    .map(({ name, seconds }) => `${relative('.', name)} ${seconds.toFixed(0)} s`)
  console.log(`${stage}: slowest ${slowest.join(', ')}`)
}

function print(what, message) {
  const lines = message.split('\n').filter((line) => !line.includes('node_modules'))
  const shown = lines
    .slice(0, MOST_LINES_OF_A_FAILURE)
    .map((line) => line.slice(0, MOST_CHARACTERS_OF_A_LINE))
  console.log(`${what}\n${shown.join('\n')}\n`)
}
