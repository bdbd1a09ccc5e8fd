import { expect, test } from 'vitest'
import { obviousReason, type Situation } from '../../../lib/companion/router/rule-router.ts'

const now = new Date('2031-05-01T12:00:00Z')
const ago = (seconds: number) => new Date(now.getTime() - seconds * 1000).toISOString()
const active = { last_said_at: ago(30), last_activity_at: ago(30), chosen_at: null, busy: false, held: false }
const situation = (over: Partial<Situation> = {}): Situation => ({ now, active, others: 3, ...over })

test('a router is asked whenever something was said in the conversation, also in the only one', () => {
  expect(obviousReason(situation())).toBe(null)
  expect(obviousReason(situation({ others: 0 }))).toBe(null)
  expect(obviousReason(situation({ active: null }))).toBe(null)
})

test('a thread in which research waits for the owner gets every message', () => {
  const held = { ...active, held: true, last_activity_at: ago(99_999) }

  expect(obviousReason(situation({ active: held }))).toBe('research')
})

test('nobody is asked about the first message', () => {
  expect(obviousReason(situation({ active: null, others: 0 }))).toBe('none_yet')
})

test('what the owner has just begun or opened by hand gets the next message, once', () => {
  const opened = { ...active, chosen_at: ago(10) }
  const used = { ...active, chosen_at: ago(40) }
  const longAgo = { ...active, last_said_at: ago(99_999), chosen_at: ago(3601) }

  expect(obviousReason(situation({ active: { ...active, last_said_at: null } }))).toBe('just_begun')
  expect(obviousReason(situation({ active: opened }))).toBe('chosen')
  expect(obviousReason(situation({ active: used }))).toBe(null)
  expect(obviousReason(situation({ active: longAgo }))).toBe(null)
})

test('while an answer is being written the message belongs to it', () => {
  expect(obviousReason(situation({ active: { ...active, busy: true } }))).toBe('busy')
})
