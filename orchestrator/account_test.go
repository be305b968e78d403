package orchestrator

import (
	"encoding/json"
	"io"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"dyno/containers"
	"dyno/orchestrator/agent"
)

// The server's own log has a line for each request that the agent says it
// started: none is lost, and none is sent twice in silence. The stock
// configuration closes each connection after 100 requests, so that the load
// engine has to reconnect all the time.
func TestServerLogsWhatWasStarted(t *testing.T) {
	pod := boot(t, "stock")
	body := "hello dyno world\n"
	job := agent.Job{
		Port: containers.Port, Mix: []agent.Part{{Request: agent.Request{Path: "/hello", KeepAlive: true}, Contract: agent.Contract{Status: 200, Body: []byte(body)}}},
		Connections: 50, Requests: 20_050, Warmup: 100 * time.Millisecond, Timeout: 5 * time.Second, Ready: 10 * time.Second,
	}
	if err := json.NewEncoder(pod.Control).Encode(job); err != nil {
		t.Fatal(err)
	}
	var warm, measured agent.Result
	for events := receive(pod.Events); measured.Started == 0; {
		e := <-events
		switch {
		case e.err != nil:
			t.Fatal(e.err)
		case e.Kind == agent.Fault:
			t.Fatalf("%s: %s", e.Phase, e.Text)
		case e.Kind == agent.Warmed:
			warm = *e.Load
			if _, err := io.WriteString(pod.Control, "measure\n"); err != nil {
				t.Fatal(err)
			}
		case e.Kind == agent.Measured:
			measured = *e.Load
		}
	}
	if measured.Started != job.Requests || measured.Outcomes[agent.OK] != job.Requests || measured.Reconnects < job.Requests/100-50 {
		t.Errorf("%d started, %d right, %d reconnects; want %d, all right, about one reconnect in a hundred",
			measured.Started, measured.Outcomes[agent.OK], measured.Reconnects, job.Requests)
	}
	out, err := exec.Command("docker", "exec", pod.Services[0].ID, "wc", "-l", "/run/access.log").Output()
	if err != nil {
		t.Fatal(err)
	}
	logged, err := strconv.ParseInt(strings.Fields(string(out))[0], 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	if want := 1 + agent.ContractRequests + warm.Started + measured.Started; logged != want {
		t.Errorf("the server logged %d requests; one look, %d checks, %d warming up and %d measured make %d",
			logged, agent.ContractRequests, warm.Started, measured.Started, want)
	}
}
