// A store as it is after years, made by statements: pages with passages, conversations with turns and messages, calls,
// drafts and changes. Nearly all of it is in one Space, a hundredth in another.

import pg from 'pg'
import { reading } from '../../../lib/content/properties/page-data.ts'
import { companion } from '../../helpers/one-turn.ts'

export type Spaces = { large: string; small: string }

/** Passages that Void has indexed: what the others are copies of. The smallest store has just these. */
export const templates = 10_000

/** How much there is for a number of messages; as many passages. */
const per = { page: 5, conversation: 10, turn: 2, call: 2, draft: 20, change: 2 }

const smallPart = 100

/**
 * Adds what is missing from `from` to `to` messages and passages. The first `templates` of these are in `large` already, a
 * page each; every later one has the text and the vector of one of them.
 */
export async function fillStore(
  url: string,
  { large, small }: Spaces,
  { from, to }: { from: number; to: number },
): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  // As text: not every statement has a use for each of them.
  const run = (statement: string, every: number, first = Math.floor(from / every) + 1) =>
    client.query(
      [`'${large}'::uuid`, `'${small}'::uuid`, `${first}`, `${Math.floor(to / every)}`].reduce(
        (text, value, n) => text.replaceAll(`$${n + 1}`, value),
        statement,
      ),
    )
  try {
    // No triggers and no foreign keys: what is written here holds together.
    await client.query("set session_replication_role = replica; set maintenance_work_mem = '512MB'")
    await client.query(functions)
    const { rows: indexes } = await client.query(
      "select indexname as name, indexdef as definition from pg_indexes where tablename = 'chunks' and indexdef like '%using gin%'",
    )
    for (const { name } of indexes) await client.query(`drop index ${name}`)
    // A page for every five passages, but for those that Void has indexed.
    const firstPage = Math.max(from, templates) / per.page + 1
    await run(pages, per.page, firstPage)
    await run(passages, 1, firstPage * per.page)
    for (const { definition } of indexes) await client.query(definition)
    await run(conversations, per.conversation)
    await run(turns, per.turn)
    await run(messages, 1)
    await run(calls, per.call)
    await run(drafts, per.draft)
    await run(changes, per.change)
    await client.query('vacuum analyze')
  } finally {
    await client.end()
  }
}

// Ids sort as they were made: one a second of each kind, the last of them an hour ago at a million.
const functions = `
  create or replace function pg_temp.stamp(n bigint) returns timestamptz immutable language sql as
    $$ select timestamptz '2025-01-01' + n * interval '10 seconds' $$;
  create or replace function pg_temp.made(kind text, n bigint) returns uuid immutable language sql as $$
    select (lpad(to_hex((extract(epoch from pg_temp.stamp(n)) * 1000)::bigint), 12, '0') || '7'
      || substr(md5(kind || n), 1, 3) || '8' || substr(md5(kind || n), 4, 15))::uuid
  $$;
  create or replace function pg_temp.place(n bigint, large uuid, small uuid) returns uuid immutable language sql as
    $$ select case when n % ${smallPart} = 0 then small else large end $$;`

const pages = `
  with made as (
    insert into pages (id, space_id, title, body, created_at, updated_at, created_by, updated_by, origin)
    select pg_temp.made('page', n), pg_temp.place(n, $1, $2), 'Page ' || n, 'Words.', pg_temp.stamp(n), pg_temp.stamp(n),
      'owner', 'owner', 'owner'
    from generate_series($3::bigint, $4::bigint) as n
    returning id, space_id
  )
  insert into page_properties (page_id, space_id, version, reading, tags, tag_names, properties)
  select id, space_id, 1, ${reading}, '{}', '{}', '{}'
  from made`

const passages = `
  with templates as materialized (
    select *, row_number() over (order by revision) - 1 as number
    from chunks
    where space_id = $1 and entity_type = 'page'
    order by revision
    limit ${templates}
  )
  insert into chunks (space_id, entity_type, entity_id, title, ordinal, heading_path, text, start_line, end_line,
    fingerprint, analysis, tsv, average_length, bm)
  select pg_temp.place(n / ${per.page}, $1, $2), 'page', pg_temp.made('page', n / ${per.page}),
    'Page ' || n / ${per.page}, n % ${per.page}, heading_path, text, 1, 1, fingerprint, analysis, tsv, average_length, bm
  from generate_series($3::bigint, $4::bigint) as n
  join templates on templates.number = n % (select count(*) from templates)`

const conversations = `
  with made as (
    insert into conversations (id, space_id, agent_id, title, summary, created_by, started_at, last_activity_at)
    select pg_temp.made('conversation', n * ${per.conversation}), pg_temp.place(n, $1, $2), '${companion.agent_id}',
      'Conversation ' || n, 'What was said.', 'owner', pg_temp.stamp(n * ${per.conversation}),
      pg_temp.stamp(n * ${per.conversation})
    from generate_series($3::bigint, $4::bigint) as n
    returning id, space_id
  )
  insert into indexed_conversations (conversation_id, title, upto, analysis, average_length)
  select made.id, '', made.id, analysis, average_length
  from made, (select analysis, average_length from chunks limit 1) as current`

const conversationOf = (n: string) =>
  `pg_temp.made('conversation', ceil(${n}::numeric / ${per.conversation})::bigint * ${per.conversation})`

const turns = `
  insert into turns (id, space_id, conversation_id, agent_id, status, body_hash, created_at, finished_at, duration_ms)
  select pg_temp.made('turn', n * ${per.turn}),
    pg_temp.place(ceil(n * ${per.turn}::numeric / ${per.conversation})::bigint, $1, $2),
    ${conversationOf(`(n * ${per.turn})`)}, '${companion.agent_id}', 'done', '', pg_temp.stamp(n * ${per.turn}),
    pg_temp.stamp(n * ${per.turn}), 1000
  from generate_series($3::bigint, $4::bigint) as n`

const messages = `
  insert into messages (id, conversation_id, turn_id, role, body, agent_id, created_at)
  select pg_temp.made('message', n), ${conversationOf('n')},
    pg_temp.made('turn', ceil(n::numeric / ${per.turn})::bigint * ${per.turn}),
    case when n % 2 = 1 then 'user' else 'assistant' end, 'What is said in message ' || n || '.',
    case when n % 2 = 0 then '${companion.agent_id}'::uuid end, pg_temp.stamp(n)
  from generate_series($3::bigint, $4::bigint) as n`

const calls = `
  insert into tool_calls (id, space_id, agent_id, turn_id, tool_use_id, name, arguments, result, entity_type, entity_id,
    status, duration_ms, created_at)
  select pg_temp.made('call', n), pg_temp.place(ceil(n * ${per.call}::numeric / ${per.conversation})::bigint, $1, $2),
    '${companion.agent_id}', pg_temp.made('turn', n * ${per.call}), 'toolu_' || n,
    (array['search', 'read', 'list', 'open'])[1 + n % 4], '{"q":"oil"}', 'some', 'page',
    pg_temp.made('page', 1 + n / ${per.page}), case when n % 50 = 0 then 'error' else 'done' end, 5,
    pg_temp.stamp(n * ${per.call})
  from generate_series($3::bigint, $4::bigint) as n`

const drafts = `
  insert into pending_changes (id, space_id, agent_id, changeset_id, entity_type, entity_id, action, payload,
    payload_sha256, reason, status, created_at, decided_at, decided_by)
  select pg_temp.made('draft', n), pg_temp.place(n, $1, $2), '${companion.agent_id}', pg_temp.made('draft', n), 'page',
    pg_temp.made('drafted', n), 'create', payload, encode(sha256(convert_to(payload, 'UTF8')), 'hex'), 'You asked.',
    case when n % 2 = 0 then 'pending' else 'rejected' end, pg_temp.stamp(n * ${per.draft}),
    case when n % 2 = 1 then pg_temp.stamp(n * ${per.draft}) end, case when n % 2 = 1 then 'owner' end
  from generate_series($3::bigint, $4::bigint) as n,
    lateral (select '{"title":"Draft ' || n || '","body":"Some words."}' as payload) as made`

// Before the first row that Void writes itself: the log's head stays where it is.
const changes = `
  insert into audit_log (seq, at, space_id, actor, action, entity_type, entity_id, version, after, previous_hash, hash)
  select n - 10000000, pg_temp.stamp(n * ${per.change}), pg_temp.place(n, $1, $2), 'owner', 'update', 'page',
    pg_temp.made('page', 1 + n / ${per.page}), 1 + n % ${per.page}, '{"title":"Page ' || n || '"}', '', ''
  from generate_series($3::bigint, $4::bigint) as n`
