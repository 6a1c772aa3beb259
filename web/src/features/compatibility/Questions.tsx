import { t } from '@lingui/core/macro';
import { useQuery } from '@tanstack/react-query';
import { getAnswers } from '#contract/compatibility.ts';
import { useEndpoint } from '../../api/endpoint-query.ts';
import { errorTexts } from '../../api/api-error.ts';
import { QueryStates } from '../../ui/feedback/PageStates.tsx';
import { Panel } from '../../ui/layout/Page.tsx';

/** The component with all the questions, in its own chunk, which is fetched at the same time as the answers. */
function useQuestionsPart() {
  return useQuery({
    queryKey: ['questions-part'],
    queryFn: async () => {
      try {
        return (await import('./QuestionsPart.tsx')).QuestionsPart;
      } catch {
        throw new Error(errorTexts.network());
      }
    },
    staleTime: Infinity,
  });
}

/** The member's answers to the compatibility questions; no one else can read them. */
export function Questions() {
  const part = useQuestionsPart();
  const answers = useEndpoint(
    getAnswers,
    {},
    { select: (data) => data.answers, staleTime: 0, gcTime: 0, refetchOnWindowFocus: false },
  );
  const query = {
    data: part.data && answers.data ? { QuestionsPart: part.data, answers: answers.data } : undefined,
    error: part.error ?? answers.error,
    isFetching: part.isFetching || answers.isFetching,
    refetch: () => Promise.all([part.refetch(), answers.refetch()]),
  };
  return (
    <Panel
      title={t`Questions`}
      lead={`${t`Others only see how well you match, never your answers.`} ${t`Changes take effect tomorrow.`}`}
    >
      <QueryStates
        query={query}
        loadingText={t`Loading your answers...`}
        skeleton="5.75rem"
        errorText={(error) => t`Couldn't load your answers: ${error}`}
      >
        {({ QuestionsPart, answers }) => <QuestionsPart answers={answers} />}
      </QueryStates>
    </Panel>
  );
}
