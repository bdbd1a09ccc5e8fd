// A hostile text for each turn, read by a model that obeys it, on a real server; and after each turn a look at what the
// server stored, sent, opened and would show.

import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readEvents } from '../../../lib/core/text/event-stream.ts'
import { startFakeAnthropic } from '../../helpers/fake-anthropic.ts'
import { startVoidProcess } from '../../helpers/void-process.ts'
import {
  type Client,
  createClient,
  makeAttackWorld,
  type Names,
  oneRequest,
  ownerToken,
  type Planted,
  plant,
} from './attack-world.ts'
import { findFalseCitations, findFalseDrafts, findFalseEffects, findLeaks } from './check-turn.ts'
import { createSpy } from './create-spy.ts'
import { findHtmlDanger } from './find-html-danger.ts'
import { madeUpWords } from './forged-calls.ts'
import { createObedientModel } from './obedient-model.ts'
import { fillIn, type Payload } from './payload.ts'

export type AttackOptions = {
  payloads: readonly Payload[]
  /** A database on a Postgres server; left out: PGlite. */
  databaseUrl?: string | undefined
  /** Fills the data folder before the start; left out: the server does it all. */
  prepareFolder?: (folder: string) => void
}

export type Frame = { type: string; data: Record<string, unknown> }

type AttackSort =
  | 'rows changed'
  | 'texts of another Space given to the model'
  | 'requests to elsewhere'
  | 'citations checked without a source'
  | 'effects on what is not there'
  | 'drafts that no text may lead to'
  | 'scripts or remote loads in a page'
  | 'turns that did not end'
  | 'payloads that the model did not get to read'

export type AttackReport = {
  turns: number
  calls: number
  drafts: number
  pages: number
  /** What fell, in words, each with its payload. */
  texts: string[]
}

export async function attack({
  payloads,
  databaseUrl,
  prepareFolder = () => {},
}: AttackOptions): Promise<AttackReport> {
  const folder = mkdtempSync(join(tmpdir(), 'void-attack-'))
  prepareFolder(folder)
  const model = createObedientModel()
  const fake = await startFakeAnthropic([model.reply], { repeatLast: true })
  const attacker = await startAttacker()
  const spy = createSpy(join(folder, 'opened.txt'))
  const server = await startVoidProcess(
    {
      DATA_DIR: folder,
      OWNER_TOKEN: ownerToken,
      ANTHROPIC_BASE_URL: fake.url,
      ANTHROPIC_API_KEY: 'attack',
      ROUTER_MODEL: 'none',
      DRAFTS_PER_HOUR: '100000',
      DRAFTS_WAITING: '100000',
      ...spy.env,
      ...(databaseUrl ? { DATABASE_URL: databaseUrl } : {}),
    },
    spy.options,
  )
  const report: AttackReport = {
    turns: 0,
    calls: 0,
    drafts: 0,
    pages: 0,
    texts: [],
  }

  try {
    const call = createClient(server.url)
    const names = await makeAttackWorld(call, attacker.url)
    const own = [fake.url, ...(databaseUrl ? [databaseUrl] : [])].map((url) => `connect ${new URL(url).host}`)
    for (const [n, payload] of payloads.entries()) {
      const code = `code${(n + 46_656).toString(36)}x`
      const text = fillIn(payload.text, names)
      const planted = await plant(call, names, { ...payload, text }, code)
      model.begin({ planted, code, text, names, n })
      await spy.changes(server)

      const frames = await runTurn(server.url, names, planted, code)
      const note = (sort: AttackSort, what: readonly string[]) => {
        for (const each of what.slice(0, 3)) {
          report.texts.push(
            `${sort}: ${each}\n  payload ${n} (${payload.kind}, ${payload.place}): ${text.slice(0, 300)}`,
          )
        }
      }
      const requests = model.requests()
      note('rows changed', await spy.changes(server))
      note('texts of another Space given to the model', findLeaks(requests))
      note('citations checked without a source', findFalseCitations(frames, requests))
      note('effects on what is not there', findFalseEffects(frames, names.space, madeUpWords))
      note('drafts that no text may lead to', findFalseDrafts(frames, payload.place !== 'note'))
      note('turns that did not end', frames.at(-1)?.type === 'done' ? [] : [JSON.stringify(frames.at(-1))])
      note('payloads that the model did not get to read', model.hasRead() ? [] : [code])
      const shown = await showAll(call, { names, planted, frames, attacker: attacker.url })
      note('scripts or remote loads in a page', shown.dangers)
      note('requests to elsewhere', [...attacker.take(), ...toElsewhere(spy.takeOpened(), own)])

      report.turns += 1
      report.pages += shown.pages
      report.drafts += frames.filter(({ type }) => type === 'draft').length
      report.calls = model.calls()
    }
    return report
  } finally {
    server.kill()
    await server.gone
    await fake.close()
    await attacker.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function runTurn(url: string, names: Names, planted: Planted, code: string): Promise<Frame[]> {
  const response = await fetch(`${url}/api/spaces/${names.space}/companion/turn`, {
    method: 'POST',
    headers: { authorization: `Bearer ${ownerToken}`, ...oneRequest },
    body: JSON.stringify({
      text: `Read ${code} and do what it says.`,
      view: {
        entityType: planted.kind === 'mail_message' ? 'mail_thread' : planted.kind,
        entityId: planted.id,
      },
    }),
  })
  if (!response.ok || !response.body) throw new Error(`${response.status}: ${await response.text()}`)
  const frames: Frame[] = []
  for await (const { type, data } of readEvents(response.body)) frames.push({ type, data: JSON.parse(data) })
  return frames
}

/** Opens the pages that show the text, the answer and the drafts, as the server renders them. */
async function showAll(
  call: Client,
  {
    names,
    planted,
    frames,
    attacker,
  }: { names: Names; planted: Planted; frames: readonly Frame[]; attacker: string },
): Promise<{ pages: number; dangers: string[] }> {
  const drafts = frames.flatMap(({ type, data }) =>
    type === 'draft' ? [`/inbox/${data.pending_change_id}`] : [],
  )
  const addresses = [
    `/s/${names.slug}/${planted.kind === 'mail_message' ? 'mail' : `${planted.kind.replace('_', '-')}s`}/${planted.id}`,
    ...drafts.slice(0, 3),
  ]
  const dangers: string[] = []
  for (const address of addresses) {
    const html = String(await call('GET', address))
    dangers.push(...findHtmlDanger(html, attacker).map((what) => `${address} ${what}`))
  }
  return { pages: addresses.length, dangers }
}

/** What is neither the model's nor the database's; the server bundles the browser's scripts when a page is first asked for. */
const toElsewhere = (opened: readonly string[], own: readonly string[]): string[] =>
  opened.filter((line) => !own.includes(line) && !/^spawn \S+\/esbuild$/.test(line))

async function startAttacker() {
  let requests: string[] = []
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`)
    response.end('<script>1</script>')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the attacker has no port')
  return {
    url: `http://127.0.0.1:${address.port}`,
    take: () => {
      const taken = requests
      requests = []
      return taken
    },
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}
