const labels: Record<string, string> = {
  body: 'Text',
  due_on: 'Due date',
  recurrence: 'Repeats',
  remind_at: 'Reminder',
  published_on: 'Published',
  parent_id: 'Parent page',
  url: 'URL',
  mime: 'Type',
  from_address: 'From',
  to_addresses: 'To',
  cc_addresses: 'Cc',
  in_reply_to: 'In reply to',
  reference_ids: 'Refers to',
  quoted: 'Quoted below it',
}

/** The name of a field for a person: "due_on" as "Due date", "priority" as "Priority". */
export function fieldLabel(name: string): string {
  const label = labels[name] ?? name.replace(/_(id|on)$/, '').replaceAll('_', ' ')
  return label.charAt(0).toUpperCase() + label.slice(1)
}
