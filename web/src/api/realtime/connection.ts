import { create } from 'zustand';

/** Whether the last request found no answer at all. */
export const useConnection = create<{ isCut: boolean }>()(() => ({ isCut: false }));
