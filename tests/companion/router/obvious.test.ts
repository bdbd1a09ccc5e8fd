import { expect, test } from 'vitest'
import { obviousReason, type Situation } from '../../../lib/companion/router/route-turn.ts'

const now = new Date('2031-05-01T12:00:00Z')
const ago = (seconds: number) => new Date(now.getTime() - seconds * 1000).toISOString()
const active = { last_said_at: ago(30), last_activity_at: ago(30), chosen_at: null, busy: false, held: false }
const situation = (over: Partial<Situation> = {}): Situation => ({
  message: 'What does the lamp burn?',
  now,
  active,
  others: 3,
  ...over,
})

test('a router is asked when there are other conversations and nothing else tells', () => {
  expect(obviousReason(situation())).toBe(null)
  expect(obviousReason(situation({ active: null }))).toBe(null)
})

test('a thread in which research waits for the owner gets every message', () => {
  const held = { ...active, held: true, last_activity_at: ago(99_999) }

  expect(obviousReason(situation({ active: held }))).toBe('research')
})

test('nobody is asked where there is nothing to choose between', () => {
  expect(obviousReason(situation({ others: 0 }))).toBe('only_thread')
  expect(obviousReason(situation({ active: null, others: 0 }))).toBe('none_yet')
})

test('the only conversation does not collect what comes long after: one may begin something new', () => {
  const idle = (seconds: number) => ({
    ...active,
    last_said_at: ago(seconds),
    last_activity_at: ago(seconds),
  })

  expect(obviousReason(situation({ others: 0, active: idle(600) }))).toBe('only_thread')
  expect(obviousReason(situation({ others: 0, active: idle(601) }))).toBe(null)
})

test('a follow-up goes on within two minutes, and is thought about after that', () => {
  const message = 'And the rent?'
  const idle = (seconds: number) => ({
    ...active,
    last_said_at: ago(seconds),
    last_activity_at: ago(seconds),
  })

  expect(obviousReason(situation({ message, active: idle(120) }))).toBe('follow_up')
  expect(obviousReason(situation({ message, active: idle(121) }))).toBe(null)
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
