import { Writable } from 'node:stream'
import { describe, expect, test } from 'vitest'
import { createLogger } from '../../../lib/core/logger.ts'
import { createStalls } from '../../../lib/ops/maintenance/stalls.ts'
import { buildApp } from '../../helpers/build-app.ts'

/** Stalls under clocks that stand still until they are moved. */
function watched() {
  const time = { ms: 0 }
  const lines: Record<string, unknown>[] = []
  const sink = new Writable({
    write(chunk, _encoding, done) {
      lines.push(JSON.parse(String(chunk)))
      done()
    },
  })
  const start = Date.parse('2026-01-01T00:00:00Z')
  const stalls = createStalls(
    createLogger('warn', sink),
    () => new Date(start + time.ms),
    () => time.ms,
  )
  const tickAfter = (ms: number) => {
    time.ms += ms
    stalls.tick()
  }
  return { stalls, lines, tickAfter }
}

describe('the watchdog of the event loop', () => {
  test('a stall is logged with the routes that were answered meanwhile, by their patterns', () => {
    const { stalls, lines, tickAfter } = watched()
    stalls.enter('GET /before')()
    tickAfter(100)
    const leave = stalls.enter('GET /api/pages/:id')
    stalls.enter('GET /health')()

    tickAfter(900)

    expect(lines).toMatchObject([
      { msg: 'event loop stalled', duration_ms: 800, routes: ['GET /api/pages/:id', 'GET /health'] },
    ])
    leave()
    tickAfter(100)
    tickAfter(600)
    expect(lines[1]).toMatchObject({ duration_ms: 500, routes: [] })
  })

  test('a delay that nobody notices is none', () => {
    const { stalls, lines, tickAfter } = watched()

    tickAfter(350)

    expect(lines).toEqual([])
    expect(stalls.worst()).toBeNull()
  })

  test('the worst is of the last hour', () => {
    const { stalls, tickAfter } = watched()
    tickAfter(3100)
    tickAfter(1100)
    expect(stalls.worst()).toEqual({ duration_ms: 3000, at: '2026-01-01T00:00:03.100Z' })

    for (let ms = 0; ms < 3_598_500; ms += 100) tickAfter(100)
    expect(stalls.worst()?.duration_ms).toBe(3000)

    for (let ms = 0; ms < 500; ms += 100) tickAfter(100)
    expect(stalls.worst()?.duration_ms).toBe(1000)
    for (let ms = 0; ms < 2000; ms += 100) tickAfter(100)
    expect(stalls.worst()).toBeNull()
  })
})

test('/health shows the worst stall of the last hour', async () => {
  const { deps, owner } = await buildApp()
  const fresh = await owner.get('/health')
  const entered: string[] = []
  const { enter, worst } = deps.server.stalls
  deps.server.stalls.enter = (route) => {
    entered.push(route)
    return enter(route)
  }
  deps.server.stalls.worst = () => ({ duration_ms: 412, at: '2026-01-01T00:00:00.000Z' })

  const stalled = await owner.get('/health')

  expect(worst()).toBeNull()
  expect(fresh.body.worst_stall).toBeNull()
  expect(stalled.body.worst_stall).toEqual({ duration_ms: 412, at: '2026-01-01T00:00:00.000Z' })
  expect(entered).toEqual(['GET /health'])
})
