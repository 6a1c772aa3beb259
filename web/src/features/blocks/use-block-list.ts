import { useState } from 'react';
import { type BlockView, listBlocks, unblockUser } from '#contract/connections/blocks.ts';
import { call } from '../../api/call.ts';
import { useCommand } from '../../api/use-command.ts';
import { useRead } from '../../api/use-read.ts';

const pageSize = 20;

interface BlockPages {
  blocks: BlockView[];
  total: number;
}

/** Whom one blocked, newest first, page by page; who is unblocked goes from the list at once, and is back when that fails. */
export function useBlockList() {
  const [pages, setPages] = useState(1);
  const [gone, setGone] = useState<readonly string[]>([]);
  const command = useCommand();
  const query = useRead(
    String(pages),
    async (signal): Promise<BlockPages> => {
      const answers = await Promise.all(
        Array.from({ length: pages }, (_, index) =>
          call(listBlocks, { query: { page: index + 1, limit: pageSize }, signal }),
        ),
      );
      const blocks = new Map(answers.flatMap(({ data }) => data.blocks).map((block) => [block.user._id, block]));
      return { blocks: [...blocks.values()], total: answers.at(-1)?.data.pagination.total ?? 0 };
    },
    { keepsData: true },
  );

  async function unblock(userId: string): Promise<boolean> {
    if (command.isPending) return false;
    setGone((before) => [...before, userId]);
    const isDone = await command.run(() => call(unblockUser, { params: { userId } }));
    if (!isDone) setGone((before) => before.filter((id) => id !== userId));
    return isDone;
  }

  return { query, gone, unblock, error: command.error, more: () => setPages(pages + 1) };
}
