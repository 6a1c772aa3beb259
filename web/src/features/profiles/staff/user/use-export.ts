import { exportUsers } from '#contract/profiles/profiles.ts';
import { callForFile } from '../../../../api/call.ts';
import { useCommand } from '../../../../api/use-command.ts';
import { saveFile } from '../../../../ui/data/save-file.ts';
import { asQuery, type UserFilters, type UserOrder } from '../list/user-filters.ts';

/** Downloads all users that fit as CSV, loaded or not. */
export function useExport() {
  const command = useCommand();
  return {
    ...command,
    download: (filters: UserFilters, order: UserOrder) =>
      command.run(async () => {
        const { blob, name } = await callForFile(exportUsers, { query: asQuery(filters, order) });
        saveFile(blob, name ?? 'users.csv');
      }),
  };
}
