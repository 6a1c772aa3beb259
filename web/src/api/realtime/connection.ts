import { create } from 'zustand';

/** Whether the last request got no answer at all. */
export const useConnection = create<{ isCut: boolean }>()(() => ({ isCut: false }));
