// A Space's research runs, each as a readable page and as data: its answer, summary, claims with their verdicts, and
// every passage found. They are a record, which an import skips.

import type { ResearchAnswer, ResearchClaim } from '../../contract/research.ts'
import type { Queryable } from '../../db/pool.ts'
import { createResearchRunsRepo, type ResearchRunRow } from '../../db/repos/research_runs.ts'
import { createResearchEvidenceRepo, type ResearchEvidenceRow } from '../../db/repos/research_stages.ts'
import { writeVaultNote } from '../vault/vault-note.ts'
import type { VaultPlan } from './plan-vault.ts'

type ExportedRun = {
  run: ResearchRunRow
  claims: readonly ResearchClaim[]
  evidence: readonly ResearchEvidenceRow[]
}

/** Two files per run, one run at a time. */
export async function* exportResearch(
  database: Queryable,
  spaceId: string,
  { research, paths }: Pick<VaultPlan, 'research' | 'paths'>,
): AsyncGenerator<{ path: string; bytes: Uint8Array }> {
  const ledger = createResearchEvidenceRepo(database)
  for (const { id, path, data } of research) {
    const run = await createResearchRunsRepo(database).findInSpace(id, spaceId)
    if (!run) continue
    const parts = { run, claims: await ledger.listClaims(id), evidence: await ledger.list(id) }
    yield { path, bytes: encode(toNote(parts, paths)) }
    yield { path: data, bytes: encode(`${JSON.stringify(toData(parts), null, 1)}\n`) }
  }
}

function toNote({ run, claims, evidence }: ExportedRun, paths: VaultPlan['paths']): string {
  const { id, title, question, depth, status, outcome, labels, created_at, finished_at } = run
  const pathOf = (entity: string, name: string) => `${name} (${paths.get(entity) ?? entity})`
  const parts: [string, string[]][] = [
    ['References', (run.answer?.references ?? []).map((one) => referenceLine(one, pathOf))],
    ['Claims', claims.map(claimLine)],
    ['Summary', run.summary === '' ? [] : [run.summary]],
    ['Passages', evidence.map((one) => `[${one.n}] ${pathOf(one.entity_id, one.title)}\n\n${one.text}\n`)],
  ]
  const body = [
    run.answer?.markdown.trim() ?? 'This run has no answer.',
    ...parts.flatMap(([heading, lines]) =>
      lines.length > 0 ? [`## ${heading}`, asIs(lines.join('\n'))] : [],
    ),
  ]
  const text = `${body.join('\n\n')}\n`
  const note = writeVaultNote({
    kind: 'research',
    properties: { id, title, question, depth, status, outcome, labels, created_at, finished_at },
    body: text,
  })
  return note ?? text
}

const referenceLine = (
  { n, entity_id, title, quote }: ResearchAnswer['references'][number],
  pathOf: (entity: string, name: string) => string,
) => `[${n}] ${pathOf(entity_id, title)}: “${quote}”`

const claimLine = ({ id, text, verdict, cites, reasons }: ResearchClaim) =>
  [`${id} ${verdict} [${cites.join(', ')}]: ${text}`, ...reasons.map((reason) => `   ${reason}`)].join('\n')

/** Third-party text, as a code block: nothing in it links, embeds or formats. */
const asIs = (text: string) =>
  text
    .split('\n')
    .map((line) => (line === '' ? '' : `    ${line}`))
    .join('\n')

function toData({ run, claims, evidence }: ExportedRun) {
  const { id, conversation_id, previous_id, title, question, depth, labels, status, outcome, error } = run
  return {
    format: 1,
    id,
    conversation_id,
    previous_id,
    title,
    question,
    depth,
    labels,
    status,
    outcome,
    error,
    created_at: run.created_at,
    finished_at: run.finished_at,
    archived_at: run.archived_at,
    plan: run.plan,
    answer: run.answer,
    verification: run.verification,
    summary: run.summary,
    claims,
    evidence: evidence.map(({ position: _, ...passage }) => passage),
  }
}

const encode = (text: string) => new TextEncoder().encode(text)
