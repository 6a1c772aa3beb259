import { useQuery } from '@tanstack/react-query';
import { getConfig } from '#contract/system.ts';
import { type DataOf, endpointQuery } from './endpoint-query.ts';
import { showBrand } from '../brand.ts';

export type ServiceConfig = DataOf<typeof getConfig>;

/** The public configuration of the service: support address, limits, plans, and providers to sign in with. */
const asked = endpointQuery(getConfig, {}, { staleTime: Infinity, gcTime: Infinity });
export const configQuery = {
  ...asked,
  queryFn: async (context: Parameters<typeof asked.queryFn>[0]) => {
    const config = await asked.queryFn(context);
    showBrand({ ...config.brand, parts: config.parts });
    return config;
  },
};

/** The service's configuration, fetched once; undefined until the answer arrives. */
export function useServiceConfig(): ServiceConfig | undefined {
  return useQuery(configQuery).data;
}
