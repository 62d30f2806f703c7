// shown.js: functions that do nothing any more when their component is not shown: answers come late.
import { useCallback, useLayoutEffect, useRef } from "../lib/preact.js";

/** The function, while this component is shown. A late answer for a run, tool or source that the user has left must not
    lead back to it. */
export function useWhileShown(call) {
    const shown = useRef(true);
    const latest = useRef(call);
    latest.current = call;
    useLayoutEffect(() => {
        shown.current = true;
        return () => (shown.current = false);
    }, []);
    return useCallback((...words) => (shown.current ? latest.current(...words) : undefined), []);
}
