// Every statement on what belongs to a Space names that Space, or is addressed by the id of one row, or is named here with
// the reason why it looks at several: what walls between Spaces rest on, and distributing them over servers would.

import { expect, test } from 'vitest'
import { literalsOf, readStatements, type Statement } from '../helpers/read-statements.ts'
import { testDb } from '../helpers/test-db.ts'

/** By reason. A statement is named by its file and its first words. */
const acrossSpaces: Record<string, string[]> = {
  'A part of a list whose outermost select names the Spaces.': [
    "activity.ts: select 'call:' || tool_calls.id as id, '",
    "activity.ts: select 'change:' || seq as id, 'change'",
    "activity.ts: select 'decision:' || pending_changes.id",
    "activity.ts: select 'draft:' || pending_changes.id as",
    "activity.ts: select 'glance:' || glances.id as id, 'g",
    "activity.ts: select 'message:' || messages.id as id,",
    'usage.ts: select coalesce(turns.finished_at, now()',
  ],
  'The condition that is put in names the Space, or the id of a row.': [
    'audit.ts: select count(distinct version) as versio',
    'audit.ts: select distinct on (field.key) field.key',
    `research_runs.ts: select \${columns} from research_runs run`,
    'home.ts: select id, space_id, version, created_at, updated_at, created_by, updated_by, origin, deleted_at, title, status, priorit',
    'home.ts: select status, count(*)::integer as coun',
    `entities.ts: select \${columns(kind)} from \${kind.table} where space_id \${`,
  ],
  'The owner sees, and is asked about, all Spaces at once.': [
    'research_runs.ts: select (select coalesce(sum(case when st',
    "decisions.ts: select id, entity_id, status = 'approved",
    'pending_change_lists.ts: delete from pending_openings using pendi',
    `pending_change_lists.ts: select \${columns} from pending_openings`,
  ],
  'The audit log is one chain, which is verified as a whole.': [
    'audit_chain.ts: with links as materialized ( select seq,',
  ],
  'A limit or a figure of the whole server.': [
    'files.ts: select coalesce(sum(size), 0)::bigint as',
    'files.ts: select from import_uploads where job_id',
    'mail_accounts.ts: select count(*)::integer as count from m',
    'turns.ts: select count(*)::integer as count from t',
    "routine_events.ts: select audit_log.at, 'page' as kind, ent",
    "routine_events.ts: select created_at as at, 'mail_thread' a",
    "routine_events.ts: select updated_at as at, 'import' as kin",
    'routine_runs.ts: select count(*)::integer as count from r',
    'maintenance.ts: select (select count(*)::integer from tu',
  ],
  'Every program of a source is kept from the key files of all Spaces.': [
    'secrets.ts: select distinct value from ( select valu',
  ],
  'Its ids are given as an array, of threads of one Space.': [
    'mail_threads.ts: update mail_threads t set messages = fou',
  ],
  'A background job takes the work of all Spaces, whichever server runs it.': [
    'conversation_titles.ts: select id, naming_owed from conversation',
    `routines.ts: select \${columns} from routines where en`,
    'routines.ts: select exists ( select from routines whe',
    `routine_runs.ts: select \${runColumns} from routine_runs where retry_at is not`,
    `routine_runs.ts: select \${runColumns} from routine_runs where status is null and started_at <= $1`,
    `routine_runs.ts: select \${runColumns} from routine_runs where status is null and turn_id is null`,
    'routines.ts: update routines set events_until = seen.',
    `routine_runs.ts: select \${runColumns}, turns.model, turns`,
    'links.ts: select distinct space_id, from_type as e',
    'tool_calls.ts: select call_id from call_runs where stat',
    "tool_calls.ts: update tool_calls set status = 'cancelle",
    "tool_calls.ts: select from call_runs where state in ('a",
    'tool_calls.ts: with claimed as ( update call_runs set s',
    'chunks.ts: select entity_id, entity_type from chunk',
    'embeddings.ts: delete from embeddings where model_id <>',
    'embeddings.ts: select (select count(*)::integer from em',
    'embeddings.ts: select c.entity_id, c.ordinal, c.revisio',
    `entities.ts: with gone as ( delete from \${kind.table}`,
    'glances.ts: with gone as ( delete from glances where',
    'import_jobs.ts: select from import_jobs where state = an',
    'import_jobs.ts: update import_jobs set claim = claim + 1',
    "import_jobs.ts: update import_jobs set state = 'undone',",
    'files.ts: select (select array_agg(distinct job_id',
    "mail_accounts.ts: select id, concat_ws(' ', updated_at, sy",
    'mail_messages.ts: select space_id from mail_messages where',
    'mailboxes.ts: select m.id, o.bytes from mail_messages',
    'derived.ts: select pages.id from pages left join pag',
    'maintenance.ts: update conversations set purged_at = now',
    'turns.ts: select conversation_id from turns where',
    `replies.ts: select \${replyColumns}, d.failures, d.cr`,
    'replies.ts: select from reply_deliveries where state',
    'maintenance.ts: delete from tool_calls where id in (sele',
    'maintenance.ts: select created_at::text as made from ( s',
    'maintenance.ts: select finished_at::text as ended from (',
    'maintenance.ts: with ended as materialized ( select id,',
    "turns.ts: update turns set lease_until = now() - interval '1 second' w",
    'turn_steps.ts: with held as ( select asked.at, asked.ev',
    'turns.ts: select id from turns where agent_id = $1',
    'derived.ts: delete from chunks where entity_id not i',
    'derived.ts: select c.id, c.space_id, c.title, said.i',
    `derived.ts: select id from \${table} where deleted_at`,
    'derived.ts: select id from conversations where delet',
  ],
}

const database = await testDb()
const { rows } = await database.query<{ name: string; parents: string[]; has_space: boolean }>(
  `select relname as name,
     exists (
       select from pg_attribute where attrelid = c.oid and attname = 'space_id' and not attisdropped
     ) as has_space,
     array(
       select distinct confrelid::regclass::text from pg_constraint where conrelid = c.oid and contype = 'f'
     ) as parents
   from pg_class c
   where relkind in ('r', 'p', 'v') and relnamespace = 'public'::regnamespace`,
)

/** Tables whose rows belong to a Space: by a column, or by a row of such a table that they belong to. */
const ofSpace = new Set(rows.filter(({ has_space }) => has_space).map(({ name }) => name))
/** Secrets are the server's; only those that a source signs in with go with it. */
const ofNone = ['secrets']
for (let size = -1; size !== ofSpace.size; ) {
  size = ofSpace.size
  for (const { name, parents } of rows) {
    if (!ofNone.includes(name) && parents.some((parent) => ofSpace.has(parent))) ofSpace.add(name)
  }
}

const given = String.raw`(?:any\s*\(\s*)?\(?\s*\$`
const bySpace = [
  new RegExp(String.raw`\bspace_ids?\b\s*(?:=|in|is not distinct from)\s*${given}`),
  /\binsert into [^(]+\([^)]*\bspace_id\b/,
  /\b(?:from|update|join) spaces\b/,
  // Given beside ids, as rows.
  /\bspace_id = (?:asked|wanted)\.space_id\b|\(space_id, [\w, ]+\) in \(select|space_id = %L/,
  /\bwithin\b|\(spaces\b|\bspaces\b\s*=/,
]
/** Of one row, or of what belongs to one: whoever asks has found that row in its Space before. */
const byId = new RegExp(
  String.raw`\b(?:id|(?!agent_|model_|client_|grant_)[a-z_]+_id|seq)\b(?:::\w+)?\s*(?:=|in|is not distinct from)\s*(?:\(select unnest\(|\(\s*)*${given}`,
)

/** Whether a statement is confined to a Space, or to what an id names. */
function isConfined({ sql }: Statement): boolean {
  const tables = [...sql.matchAll(/\b(?:from|join|into|update)\s+(\$\{|\w+)/g)].map(([, name]) => name!)
  if (!tables.some((name) => name.startsWith('$') || ofSpace.has(name))) return true
  return bySpace.some((pattern) => pattern.test(sql)) || byId.test(sql) || /^insert into/.test(sql)
}

const statements = readStatements('lib/db/repos')

test('every statement keeps to its Space, or has a reason', () => {
  expect(statements.length).toBeGreaterThan(300)

  const across = statements.filter((statement) => !isConfined(statement)).map(({ name }) => name)

  expect(across.sort()).toEqual(Object.values(acrossSpaces).flat().sort())
})

test.each([
  ["select id from pages where title = 'x'", false],
  ['select id, space_id from pages order by id limit $1', false],
  ['update pages set title = $1', false],
  ['delete from turn_events where type = $1', false],
  [`select id from \${kind.table} where deleted_at is null`, false],
  ['select id from pages where space_id = $1', true],
  ['select id from pages where id = any($1)', true],
  ['insert into pages (id, space_id) values ($1, $2)', true],
  ['select token_hash from owner_sessions', true],
])('%s: keeps to its Space, %s', (sql, confined) => {
  expect(isConfined({ name: '', sql })).toBe(confined)
})

test('statements are found wherever they stand', () => {
  const source = `
    // 'select 1'
    const a = 'select one'
    /* "select 2" */
    const b = \`select \${list.map((x) => \`with \${x}\`)} two\`
  `

  expect(literalsOf(source).map((text) => text.replace(/\s+/g, ' '))).toEqual([
    'select one',
    `with \${x}`,
    `select \${list.map((x) => \`with \${x}\`)} two`,
  ])
})
