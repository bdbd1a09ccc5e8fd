export type KillPoint = {
  name: string
  /** The statement at which the server is killed. */
  statement: RegExp
  /** When its answer is there, or as soon as it went out. */
  when: 'answered' | 'sent'
}

/** Where a turn is most vulnerable. */
export const killPoints: readonly KillPoint[] = [
  { name: 'after the user row', statement: /insert into turns\b/, when: 'answered' },
  { name: 'mid-stream', statement: /select stop_requested from held$/, when: 'answered' },
  {
    name: 'between call and result',
    statement: /^with held(?![\s\S]*insert into tool_calls)[\s\S]*insert into turn_steps/,
    when: 'answered',
  },
  { name: 'while a result is stored', statement: /insert into tool_calls/, when: 'sent' },
  { name: 'after a draft, before its result', statement: /insert into pending_changes/, when: 'answered' },
  { name: 'during the final write', statement: /with ended as/, when: 'sent' },
  { name: 'after the final write', statement: /with ended as/, when: 'answered' },
]
