import { keep, readKept } from '../../../api/session/kept.ts';

const choice = 'turns-day';

/** The day on the member's clock, such as `2026-05-31`. */
const today = () => new Date().toLocaleDateString('sv');

/** Whether this device has not yet checked today for waiting conversations; it counts as checked from now on. */
export function isTurnsTime(): boolean {
  if (readKept(choice) === today()) return false;
  keep(choice, today());
  return true;
}
