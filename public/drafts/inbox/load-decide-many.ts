/** `decideMany`, loaded when several drafts are first decided at once. */
export async function decideMany(
  ...args: Parameters<typeof import('./decide-many.ts').decideMany>
): Promise<void> {
  const module = await import('./decide-many.ts')
  await module.decideMany(...args)
}
