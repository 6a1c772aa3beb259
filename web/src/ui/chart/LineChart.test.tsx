import { render } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { LineChart } from './LineChart.tsx';

it('the axis of small values shows each number once', () => {
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(400);
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe: () => void;
      constructor(measured: () => void) {
        this.observe = measured;
      }
      disconnect() {}
    },
  );
  const { container } = render(
    <LineChart
      title="Sign-ups"
      groupName="Day"
      points={[
        { label: '1', longLabel: 'November 1' },
        { label: '2', longLabel: 'November 2' },
      ]}
      lines={[{ name: 'Joined', values: [0, 2] }]}
      format={(value) => String(Math.round(value))}
    />,
  );
  const [beside] = container.querySelectorAll('.visx-axis-left');
  expect([...(beside?.querySelectorAll('tspan') ?? [])].map(({ textContent }) => textContent)).toEqual(['0', '1', '2']);
});
