import { useQuery } from '@tanstack/react-query';
import { getConfig } from '#contract/system.ts';
import { type DataOf, endpointQuery } from './endpoint-query.ts';
import { presentBrand, showBrand } from '../brand.ts';

export type ServiceConfig = DataOf<typeof getConfig>;

/** The public configuration of the service: support address, limits, plans, and providers to sign in with. */
const asked = endpointQuery(getConfig, {}, { staleTime: Infinity, gcTime: Infinity });

/** The owner's interests and prompts, which few services have. */
async function listsFrom(context: Parameters<typeof asked.queryFn>[0]) {
  const { getLists } = await import('#contract/service/lists.ts');
  return await endpointQuery(getLists, {}).queryFn(context);
}

export const configQuery = {
  ...asked,
  queryFn: async (context: Parameters<typeof asked.queryFn>[0]) => {
    const config = await asked.queryFn(context);
    // Everything else of the configuration is needed more than the lists.
    const lists =
      config.ownLists === true ? await listsFrom(context).catch(() => ({ lists: presentBrand().lists })) : {};
    showBrand({ ...config.brand, parts: config.parts, ...lists });
    return config;
  },
};

/** The service's configuration, fetched once; undefined until the answer arrives. */
export function useServiceConfig(): ServiceConfig | undefined {
  return useQuery(configQuery).data;
}
