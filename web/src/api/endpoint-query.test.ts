import type { QueryKey } from '@tanstack/react-query';
import { describe, expect, it } from 'vitest';
import { addTag, listTags, tagUser } from '#contract/moderation/tags.ts';
import { getUserFile } from '#contract/moderation/user-file.ts';
import { endpointPages, endpointQuery, keyAt, refreshAfter } from './endpoint-query.ts';
import { queryClient } from './query-client.ts';

describe('keys of queries', () => {
  it('consist of the path and the input, and are covered by the path alone', () => {
    const query = endpointQuery(getUserFile, { params: { id: 'ada' }, query: { limit: 5 } });
    expect(query.queryKey).toEqual(['/admin/users/{id}/file', { id: 'ada', limit: 5 }]);
    expect(keyAt<typeof getUserFile>('/admin/users/{id}/file')).toEqual(['/admin/users/{id}/file']);
  });
});

describe('refreshAfter', () => {
  it('marks the paths that the command names as stale: for one person if both paths begin with them, otherwise for everyone', async () => {
    const files: QueryKey[] = ['ada', 'bo'].map((id) => endpointPages(getUserFile, { params: { id } }).queryKey);
    const tags: QueryKey = endpointQuery(listTags).queryKey;
    const stale = () => [...files, tags].map((key) => queryClient.getQueryState(key)?.isInvalidated);
    for (const key of [...files, tags]) queryClient.setQueryData<object>(key, {});
    await refreshAfter(tagUser, { id: 'ada' });
    expect(stale()).toEqual([true, false, false]);
    await refreshAfter(addTag);
    expect(stale()).toEqual([true, true, true]);
  });
});
