/** Under what name the links of a turn are stored in this tab. */
export const offersName = (turnId: string): string => `offers:${turnId}`
