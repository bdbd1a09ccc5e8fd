/** Whether the arguments of a command ask how it is used. */
export const wantsHelp = (args: readonly string[]): boolean =>
  args.some((word) => word === '--help' || word === '-h')
