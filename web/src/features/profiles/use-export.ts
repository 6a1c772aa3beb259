import { exportUsers } from '#contract/profiles.ts';
import { callForFile } from '../../api/call.ts';
import { useCommand } from '../../api/use-command.ts';
import { asQuery, type UserFilters, type UserOrder } from './user-filters.ts';

function save(blob: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  // The browser reads the address when the click is handled, so it may go in the next turn.
  setTimeout(() => URL.revokeObjectURL(link.href));
}

/** Downloads all users that fit as CSV, loaded or not. */
export function useExport() {
  const command = useCommand();
  return {
    ...command,
    download: (filters: UserFilters, order: UserOrder) =>
      command.run(async () => {
        const { blob, name } = await callForFile(exportUsers, { query: asQuery(filters, order) });
        save(blob, name ?? 'users.csv');
      }),
  };
}
