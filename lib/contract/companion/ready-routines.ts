// Routines that come with Void, each as it is before the owner edits it.

export const readyNames = [
  'tidy',
  'contradictions',
  'stale_answers',
  'morning_brief',
  'weekly_review',
] as const
export type ReadyName = (typeof readyNames)[number]

export type ReadyRoutine = {
  ready: ReadyName
  name: string
  instruction: string
  when: { schedule: string }
  /** What it does without a model, and with one. */
  about: string
}

export const readyRoutines: readonly ReadyRoutine[] = [
  {
    ready: 'tidy',
    name: 'Tidy',
    instruction: [
      'Look for what is untidy in this Space, and draft what mends it. A line that is deleted here is not looked for:',
      '',
      '- Broken links with one likely target',
      '- Pages with the same text',
      '- Pages with the same title',
      '- Pages without a title',
      '- Pages that nothing links to',
      '- Open tasks that are ticked off on a page',
    ].join('\n'),
    when: { schedule: 'FREQ=WEEKLY;BYDAY=MO;BYHOUR=8;BYMINUTE=0' },
    about:
      'Found by code, with a model or without. What else the instruction says is followed where a model is connected.',
  },
  {
    ready: 'contradictions',
    name: 'Contradictions',
    instruction:
      'Look in new and changed pages for passages that give different values for one thing. List both on the page Contradictions, and draft the correction where one side is plainly the newer.',
    when: { schedule: 'FREQ=DAILY;BYHOUR=5;BYMINUTE=0' },
    about: 'Found by code; where a model is connected, it judges what is found by this instruction.',
  },
  {
    ready: 'stale_answers',
    name: 'Stale answers',
    instruction:
      'Name the answers and the research whose cited passages have changed since, with what they cite.',
    when: { schedule: 'FREQ=WEEKLY;BYDAY=SU;BYHOUR=18;BYMINUTE=0' },
    about: 'Found by code, each once. It drafts nothing.',
  },
  {
    ready: 'morning_brief',
    name: 'Morning brief',
    instruction:
      'Tell me in few words what today brings: the tasks that are due, the mail that asks something of me, and what changed since yesterday. Draft nothing.',
    when: { schedule: 'FREQ=DAILY;BYHOUR=7;BYMINUTE=0' },
    about: 'Without a model it is a list. It drafts nothing.',
  },
  {
    ready: 'weekly_review',
    name: 'Weekly review',
    instruction:
      'Go through the week with me: open tasks without a date, projects without a next step, and the notes of the week.',
    when: { schedule: 'FREQ=WEEKLY;BYDAY=FR;BYHOUR=16;BYMINUTE=0' },
    about: 'Without a model it is a list. With one it may also draft next steps.',
  },
]

export const readyRoutine = (name: ReadyName): ReadyRoutine =>
  readyRoutines.find(({ ready }) => ready === name)!
