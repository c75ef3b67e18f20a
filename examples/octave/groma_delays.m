% Draws the mean one-way delay of each flow over time, for GNU Octave and MATLAB:
%
%   $ groma-dec run --octave results.m --interval 100ms
%   octave> groma_delays('results.m', 'delays.svg')
%
% Prints the name, the packets that were lost, and the median and 99th percentile of the delay of each flow.
function groma_delays(script, picture)
  run(script);  % makes the variable groma (docs/reference/decoder-output.md)
  flows = groma.runs(1).flows;
  names = {};
  figure('visible', 'off');
  hold on;
  for flow = flows(:)'
    fprintf('%s: %g lost, delay %.3f ms (median), %.3f ms (99 %%)\n', flow.name, flow.lost, flow.delay_p50_ns / 1e6, flow.delay_p99_ns / 1e6);
    if ~isempty(flow.series)  % an unknown delay is NaN: a gap in the line
      plot(flow.series.t_s, flow.series.delay_mean_ns / 1e6);
      names{end + 1} = flow.name;
    end
  end
  hold off;
  xlabel('time in the run (s)');
  ylabel('mean one-way delay (ms)');
  labels = legend(names);
  set(labels, 'interpreter', 'none');
  print(picture, '-dsvg');
end
