/** What one page hands to the next without putting it into the address. */
declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The address the user has typed already. */
    email?: string;
  }
}

export {};
