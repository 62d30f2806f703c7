// graph_worker.js: computes the layout of a flow graph in a worker thread. Input: { nodes: [{ id, width, height }],
// edges: [{ from, to }], direction }. Output: the same with x, y (centres) and points, and the size of the whole graph.
// For flow graphs, back edges are omitted, because they would reverse the picture. direction: "LR" is from left to
// right; the default is down.
import dagre from "../lib/dagre.js";

onmessage = ({ data: { nodes, edges, direction = "TB" } }) => {
    const started = performance.now();
    const graph = new dagre.graphlib.Graph({ multigraph: true });
    graph.setGraph({ rankdir: direction, nodesep: direction === "TB" ? 26 : 14, ranksep: direction === "TB" ? 38 : 70, marginx: 8, marginy: 8 });
    graph.setDefaultEdgeLabel(() => ({}));
    for (const { id, width, height } of nodes) graph.setNode(id, { width, height });
    edges.forEach(({ from, to }, index) => graph.setEdge(from, to, {}, String(index)));
    dagre.layout(graph);
    const { width, height } = graph.graph();
    postMessage({
        nodes: nodes.map((node) => ({ ...node, x: graph.node(node.id).x, y: graph.node(node.id).y })),
        edges: edges.map((edge, index) => ({ ...edge, points: graph.edge({ v: edge.from, w: edge.to, name: String(index) }).points })),
        width,
        height,
        milliseconds: performance.now() - started,
    });
};
